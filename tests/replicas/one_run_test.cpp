// SPDX-License-Identifier: MIT
// While replicas run, nothing else moves the trainer, and others read it only when the run lets them.
#include <io/temporary_folder.hpp>
#include <support/message_of.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/snapshot.hpp>
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/train/check_finite.hpp>
#include <xgrad/train/ggt.hpp>
#include <xgrad/train/sam.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "one_number.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;
using test::g;
using test::one_number;
using test::v;

namespace {
// Calls `meanwhile` while a worker of the replicas computes.
template<class Replicas, class F>
void during_run(Replicas& replicas, F const& meanwhile) {
    replicas.run([&](auto& worker) {
        worker(g = 1.f);
        if (worker.index() == 0) meanwhile();
        worker(g = 1.f);
    });
}
std::string refused(std::string const& call, std::string const& name) {
    return "xgrad: " + call + ": a run of " + name +
           " moves these variables; read them in on_update or with_variables(f), and step or change them when run(work) has returned";
}
std::string refused(std::string const& name) {
    return "xgrad: a run of " + name +
           " moves these variables; read them in on_update or with_variables(f), and step or change them when run(work) has returned";
}
// f(replicas, name) with each driver, of the trainer.
template<class Train, class F>
void each_driver(Train& train, F const& f) {
    auto const with = [&](auto&& replicas, std::string const& name) {
        INFO(name);
        f(replicas, name);
    };
    with(xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0}), "sync_replicas");
    with(xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0, .share_variables = false}), "sync_replicas");
    with(xg::sync_replicas(train, xg::faithful{}, {.workers = 2, .initial_tokens = 0}), "sync_replicas");
    with(xg::agn(train, {.workers = 2, .period = 1}), "agn");
    xg::thread_network one(1);
    with(xg::sync_replicas(train, one.rank(0), {.initial_tokens = 0}), "sync_replicas");
}
}   // namespace

TEST_CASE("a second run of the same variables, and what else moves them, is refused while a run goes on") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto train = one_number();
    auto twin = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{}, train);   // on the same variables
    xg::function read{2_c * v, train};
    xg::save(train, path);
    xg::snapshot const before(train);
    xg::sync_replicas others(twin, {.workers = 2});
    xg::agn more(train);
    std::string name;
    std::function<void()> const meanwhile = [&] {   // once, not for each driver
        auto const begun = [&](std::string const& other) {
            return "xgrad: " + other + ": a run of " + name +
                   " moves these variables; begin another one when its run(work) has returned, or with a trainer of other variables";
        };
        auto const says = [](std::string const& sentence, auto const& call) {
            CHECK(test::message_of<xg::binding_error>(call) == sentence);
        };
        CHECK(test::message_of<xg::value_error>([&] { others.run([](auto&) {}); }) == begun("sync_replicas"));
        CHECK(test::message_of<xg::value_error>([&] { more.run([](auto&) {}); }) == begun("agn"));
        CHECK(test::message_of<xg::value_error>([&] { typename decltype(more)::replay one(more); }) == begun("agn"));
        says(refused(name), [&] { train(g = 1.f); });
        says(refused(name), [&] { twin(g = 1.f); });
        CHECK(train.try_step(g = 1.f).code == xg::status_code::in_run);
        says(refused("train.compute_gradients(...)", name), [&] { train.compute_gradients(g = 1.f); });
        says(refused("train.apply_gradients()", name), [&] { train.apply_gradients(); });
        says(refused("train.compute_gradients(...)", name), [&] { xg::sam{train}(g = 1.f); });
        says(refused("train.compute_gradients(...)", name), [&] { xg::ggt{train}(g = 1.f); });
        says(refused("train.reset_optimizer()", name), [&] { train.reset_optimizer(); });
        says(refused("train.set_global_step(step)", name), [&] { train.set_global_step(7); });
        says(refused("train.rule()", name), [&] { train.rule().learning_rate = 3; });
        says(refused("assign(v, array)", name), [&] { train.assign(v, 3.f); });
        says(refused("initialize(...)", name), [&] { train.initialize(xg::constant_initializer{1}); });
        says(refused("save(owner, path)", name), [&] { xg::save(train, path); });
        says(refused("restore(owner, path)", name), [&] { xg::restore(train, path); });
        says(refused("restore(owner, path)", name), [&] { xg::restore(train, path, xg::variables_only); });
        says(refused("snapshot.take(owner)", name), [&] { xg::snapshot late(train); });
        says(refused("snapshot.restore(owner)", name), [&] { before.restore(train); });
        says(refused("check_finite(owner)", name), [&] { xg::check_finite(train); });
        says(refused("a trainer of these variables is made", name), [&] { xg::moving_average late(train); });
        says(refused(name), [&] { read(); });
    };
    each_driver(train, [&](auto& replicas, std::string const& driver) {
        name = driver;
        during_run(replicas, meanwhile);
        CHECK(train.global_step() > 0);
        train(g = 0.f);   // all is over
        CHECK(read() == 2 * train.value(v)());
        others.run([](auto&) {});
    });
}

TEST_CASE("on_update and with_variables read, save and change rules; they change no variables") {
    temporary_folder const folder;
    std::string const path = (folder.path / "model.safetensors").string();
    auto train = one_number();
    xg::function read{2_c * v, train};
    std::atomic<int> seen{0};
    auto const look = [&](std::int64_t) {
        seen += read() == 2 * train.value(v)();
        xg::save(train, path);
        train.rule().learning_rate = 1.0;
        CHECK(test::message_of<xg::binding_error>([&] { train.assign(v, 3.f); }).starts_with("xgrad: assign(v, array): a run of"));
        CHECK(test::message_of<xg::binding_error>([&] { train(g = 1.f); }).starts_with("xgrad: a run of"));
    };
    auto const work = [](auto& worker) {
        for (int k = 0; k < 3; ++k) worker(g = 1.f);
    };
    xg::sync_replicas sync(train, {.initial_tokens = 0, .on_update = look});
    xg::agn agn(train, {.period = 1, .on_update = look});
    sync.run(work);
    agn.run(work);
    CHECK(seen == 6);
    during_run(sync, [&] {
        sync.with_variables([&](auto const& t) {
            xg::save(t, path);
            CHECK(read() == 2 * t.value(v)());
        });
    });
    xg::thread_network one(1);
    xg::sync_replicas ranks(train, one.rank(0), {.on_update = [&](std::int64_t step) {
        if (step == train.global_step()) train.assign(v, 100.f);   // rank 0 may
        CHECK(test::message_of<xg::binding_error>([&] { xg::restore(train, path); }).starts_with("xgrad: restore(owner, path): a run of"));
    }});
    ranks.run([](auto& worker) { worker(g = 1.f); });
    CHECK(train.value(v)() == 100);
}

TEST_CASE("a moving average is called by on_update, and not beside it") {
    auto train = one_number();
    xg::moving_average averages(train, {.decay = 0.5});
    xg::variables apart{v};
    xg::sync_replicas replicas(train, {.initial_tokens = 0, .on_update = std::ref(averages)});
    during_run(replicas, [&] {
        CHECK(test::message_of<xg::binding_error>([&] { averages(1); }) == refused("moving_average(step)", "sync_replicas"));
        CHECK(test::message_of<xg::binding_error>([&] { averages.copy_to(apart); }) ==
              refused("moving_average.copy_to(owner)", "sync_replicas"));
    });
    averages.copy_to(apart);
    CHECK(apart.value(v)() == -1.25f);   // v: -1, -2
}
