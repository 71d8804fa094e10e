// SPDX-License-Identifier: MIT
// While replicas with local steps run, nothing else moves the trainer, not even steps that keep rows elsewhere.
#include <support/message_of.hpp>

#include <xgrad/replicas/replicas.hpp>
#include <xgrad/train/catch_up.hpp>
#include <xgrad/train/growing_table.hpp>
#include <xgrad/train/interleaved_rows.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "one_number.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace xg = xgrad;
using test::g;
using test::one_number;
using test::v;

namespace {
std::string const rest =
    " moves these variables; read them in on_update or with_variables(f), and step or change them when run(work) has returned";
std::string refused(std::string const& call, std::string const& name) { return "xgrad: " + call + ": a run of " + name + rest; }
}   // namespace

TEST_CASE("a second run and a step beside a run of workers with steps of their own are refused") {
    auto train = one_number();
    xg::model_average others(train);
    std::string name;
    std::function<void()> const meanwhile = [&] {
        CHECK(test::message_of<xg::value_error>([&] { others.run([](auto&) {}); }) ==
              "xgrad: model_average: a run of " + name +
                  " moves these variables; begin another one when its run(work) has returned, or with a trainer of other variables");
        CHECK(test::message_of<xg::binding_error>([&] { train(g = 1.f); }) == "xgrad: a run of " + name + rest);
        CHECK(test::message_of<xg::binding_error>([&] { train.assign(v, 3.f); }) == refused("assign(v, array)", name));
    };
    auto const with = [&](auto&& replicas, std::string const& driver) {
        INFO(driver);
        name = driver;
        replicas.run([&](auto& worker) {
            worker(g = 1.f);
            if (worker.index() == 0) meanwhile();
            worker(g = 1.f);
        });
        train(g = 0.f);   // all is over
    };
    with(xg::elastic_average(train, {.workers = 2, .period = 1}), "elastic_average");
    with(xg::model_average(train, {.workers = 2, .interval_steps = 1}), "model_average");
    with(xg::diloco(train, {.workers = 2, .period = 1}), "diloco");
    with(xg::downpour(train, {.workers = 2}), "downpour");
    with(xg::hogwild(train, {.workers = 1}), "hogwild");
    xg::thread_network one(1);
    with(xg::agn(train, one.rank(0), {.period = 1}), "agn");
    CHECK(train.global_step() > 12);
}

TEST_CASE("steps with rows that lie elsewhere, and growing tables, are refused while a run goes on") {
    constexpr auto table = xg::variable<"table", float, 4, 2>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
    auto train = xg::minimize<xg::gating::graph>(xg::sum(xg::gather(table, ids)), xg::momentum{.learning_rate = 1});
    xg::interleaved_rows rows{train};
    xg::catch_up late{train};
    xg::growing_table keys("keys", train, table, xg::constant_initializer{1});
    std::vector<std::int32_t> const two{1, 2};
    rows(ids = two);
    xg::downpour replicas(train);
    replicas.run([&](auto& worker) {
        CHECK(test::message_of<xg::binding_error>([&] { rows(ids = two); }) == refused("a step", "downpour"));
        CHECK(test::message_of<xg::binding_error>([&] { late(ids = two); }) == refused("a step", "downpour"));
        CHECK(test::message_of<xg::binding_error>([&] { keys.lookup_or_insert(std::vector<std::int64_t>{5}); }) ==
              refused("growing_table.lookup_or_insert(keys, rows)", "downpour"));
        worker(ids = two);
    });
    rows(ids = two);
    CHECK(train.global_step() == 3);
}
