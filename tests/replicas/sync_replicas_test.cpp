// SPDX-License-Identifier: MIT
// Fused synchronous replicas: the step that one trainer takes with the mean of all gradients.
#include <support/message_of.hpp>

#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto g = xg::input<"g", float>;
constexpr auto v = xg::variable<"v", float>;
constexpr auto seen = xg::non_trainable<"seen", float>;
auto one_number() { return xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0}, xg::assign(seen, seen + g)); }
}   // namespace

namespace {
/// Two workers with one gradient each, and the same step of a trainer with the mean.
template<class T, class... Rule>
void compare_with_mean(Rule const&... rule) {
    static constexpr auto target = xg::input<"target", T, 9000>;
    static constexpr auto v = xg::variable<"v", T, 9000>;
    static constexpr auto other = xg::variable<"other", T, 9000>;
    static constexpr auto distance = xg::sum(v * target) + xg::sum(other * target);
    auto const make = [&] { return xg::minimize<xg::gating::graph>(distance, rule...); };
    auto const array = [](int k) {
        std::vector<T> a(9000);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>((static_cast<int>(i) * (k + 3)) % 1009 - 504) / T(64);
        return a;
    };
    auto const first = array(0), second = array(1), from = array(2);
    std::vector<T> mean(first);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (first[i] + second[i]) / T(2);
    auto shared = make(), alone = make();
    for (auto* train : {&shared, &alone}) {
        train->assign(v, from);
        train->assign(other, second);
    }
    xg::sync_replicas replicas(shared, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    for (int step = 0; step < 2; ++step) {
        replay.compute(0, target = first);
        replay.compute(1, target = second);
        replay.push(0);
        replay.push(1);
        replay.update();
        CHECK(replay.begin(0));
        CHECK(replay.begin(1));
        alone(target = mean);
    }
    int different = 0;
    for (std::int64_t i = 0; i < 9000; ++i)
        different += shared.value(v)(i) != alone.value(v)(i) || shared.value(other)(i) != alone.value(other)(i);
    CHECK(different == 0);
}
}   // namespace
TEST_CASE("large gradients, block by block, are those of a step with the mean; so are those of rules that see all of one") {
    compare_with_mean<float>(xg::param_group(xg::lamb{.learning_rate = .01}, xg::variable<"other", float, 9000>),
        xg::param_group(xg::adam{.learning_rate = .01}));
    compare_with_mean<double>(xg::gradient_descent{.learning_rate = .5});
}
TEST_CASE("a replay refuses what cannot happen, and changes nothing") {
    auto train = one_number();
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    CHECK(test::message_of<xg::value_error>([&] { replay.push(0); }) == "xgrad: sync replicas: worker 0 has computed no gradient to push");
    CHECK(test::message_of<xg::value_error>([&] { replay.compute(2, g = 1.f); }) == "xgrad: sync replicas: there is no worker 2 among 2");
    CHECK(test::message_of<xg::value_error>([&] { replay.push(-1); }) == "xgrad: sync replicas: there is no worker -1 among 2");
    replay.compute(0, g = 1.f);
    CHECK(replay.push(0));
    CHECK(test::message_of<xg::value_error>([&] { replay.compute(0, g = 100.f); }) ==
          "xgrad: sync replicas: worker 0 cannot compute or push a gradient now");
    CHECK(test::message_of<xg::value_error>([&] { replay.begin(1); }) == "xgrad: sync replicas: worker 1 cannot take a token now");
    CHECK(test::message_of<xg::value_error>([&] { replay.update(); }) == "xgrad: sync replicas: an update of 1 gradients; it takes 2");
    replay.compute(1, g = 3.f);
    CHECK(replay.push(1));
    replay.update();
    CHECK(train.value(v)() == -2);
    CHECK(replay.begin(0));
    CHECK(test::message_of<xg::value_error>([&] { replay.push(0); }) == "xgrad: sync replicas: worker 0 has computed no gradient to push");
}
TEST_CASE("state that the trainer assigns becomes the mean of what the workers make of it; denormals are the trainer's affair") {
    auto train = one_number();
    train.flush_denormals(false);
    xg::sync_replicas replicas(train, {.workers = 2, .initial_tokens = 0});
    typename decltype(replicas)::replay replay(replicas);
    replay.compute(0, g = 1e-40f);
    replay.compute(1, g = 3e-40f);
    replay.push(0);
    replay.push(1);
    replay.update();
    CHECK(train.value(seen)() == (1e-40f + 3e-40f) / 2);
    CHECK(train.value(v)() == -train.value(seen)());
}
