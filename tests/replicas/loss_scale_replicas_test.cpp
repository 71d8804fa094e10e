// SPDX-License-Identifier: MIT
// A fixed loss scale in replicas.
#include <support/message_of.hpp>

#include <xgrad/replicas/replicas.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include "one_number.hpp"

#include <cstdint>
#include <string>
#include <thread>

namespace xg = xgrad;
using test::g;
using test::v;

namespace {
constexpr auto work = [](auto& worker) {
    for (int k = 0; k < 6; ++k) worker(g = 0.1f * static_cast<float>(worker.index() + k));
};
auto make(double scale) {
    return xg::minimize<xg::gating::graph>(v * g, xg::chain(xg::fixed_loss_scale{scale}, xg::gradient_descent{.learning_rate = 1}));
}
// Two trainers, one without a scale of the loss in effect, each with replicas that `run` makes: the same bits.
template<class Run>
void scales(Run const& run) {
    auto plain = make(1), scaled = make(1024);
    plain.assign(v, 3.f);
    scaled.assign(v, 3.f);
    run(plain);
    run(scaled);
    CHECK(plain.value(v)() != 3);
    CHECK(plain.value(v)() == scaled.value(v)());
}
}   // namespace

TEST_CASE("a fixed loss scale multiplies the gradients of workers and changes nothing else") {
    scales([](auto& train) { xg::sync_replicas(train, {.workers = 2, .initial_tokens = 0}).run(work); });
    scales([](auto& train) { xg::sync_replicas(train, xg::faithful{}, {.workers = 1, .initial_tokens = 0}).run(work); });
    scales([](auto& train) { xg::agn(train, {.workers = 1, .period = 2}).run(work); });
    scales([](auto& train) { xg::elastic_average(train, {.workers = 2, .period = 2, .rho = .5, .synchronous = true}).run(work); });
    scales([](auto& train) { xg::hogwild(train, {.workers = 1}).run(work); });
    scales([](auto& train) {
        xg::thread_network one(1);
        xg::sync_replicas(train, one.rank(0), {.initial_tokens = 0}).run(work);
    });
}

TEST_CASE("a loss scale that on_update changes is noticed, and ranks with different ones are refused") {
    auto train = make(8);
    auto const change = [&](std::int64_t) { train.rule().get<xg::fixed_loss_scale>().scale *= 2; };
    auto const twice = [](auto& worker) {
        for (int k = 0; k < 2; ++k) worker(g = 1.f);
    };
    std::string const sentence = "0 xgrad: worker 0: xgrad: replicas: the loss scale was changed during a run, but gradients have "
                                 "the old one; change it between runs";
    xg::sync_replicas sync(train, {.initial_tokens = 0, .on_update = change});
    CHECK(test::error_of(sync, twice) == sentence);
    CHECK(train.value(v)() == -1);
    xg::sync_replicas chief(train, xg::faithful{}, {.initial_tokens = 0, .on_update = change});
    CHECK(test::error_of(chief, twice) == sentence);
    xg::agn agn(train, {.period = 1, .on_update = change});
    CHECK(test::error_of(agn, twice) == sentence);
    CHECK(train.value(v)() == -3);
    xg::thread_network two(2);
    std::string said;
    auto const rank = [&](int k, double scale, std::string* to) {
        auto own = make(scale);
        xg::sync_replicas replicas(own, two.rank(k), {.initial_tokens = 0});
        auto const text = test::message_of<xg::value_error>([&] { replicas.run(twice); });
        if (to != nullptr) *to = text;
    };
    std::jthread other([&] { rank(1, 16, nullptr); });
    rank(0, 8, &said);
    CHECK(said == "xgrad: replicas: the ranks differ: rank 0 has the loss scale: 8.000000, rank 1 has the loss scale: 16.000000");
    xg::downpour late(train);
    CHECK(test::message_of<xg::value_error>([&] { xg::downpour both(train, {.compensation = {.lambda = 0.1}}); }) ==
          "xgrad: downpour: a compensation takes the square of gradients, which the link fixed_loss_scale has multiplied; "
          "remove one of them");
}
