// SPDX-License-Identifier: MIT
// Fused and faithful replicas leave the same bits where gradients are larger than the blocks in which they are summed.
#include <support/trainer_state.hpp>

#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto target = xg::input<"target", float, 9001>;
constexpr auto ids = xg::input<"ids", std::int32_t, 700>;
constexpr auto a = xg::variable<"a", float, 9001>;
constexpr auto b = xg::variable<"b", float, 9001>;
constexpr auto table = xg::variable<"table", float, 3000, 17>;
constexpr auto loss =
    xg::mean(xg::square(a - target)) + xg::mean(xg::square(b + target)) + xg::mean(xg::square(xg::gather(table, ids) - 0.3_c));

auto make() {   // b's rule needs all of a gradient together
    return xg::minimize<xg::gating::graph>(
        loss, xg::param_group(xg::lamb{.learning_rate = .01}, b), xg::param_group(xg::adam{.learning_rate = .01}));
}
/// Three workers, of which one gives two gradients for each update.
template<class How>
std::vector<float> train() {
    auto train = make();
    train.initialize(xg::glorot_uniform{.seed = 3});
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 4, .initial_tokens = 1});
    typename decltype(replicas)::replay replay(replicas);
    std::vector<float> values(9001);
    std::vector<std::int32_t> rows(700);
    int seed = 0;
    for (int round = 0; round < 4; ++round) {
        for (int k : {2, 0, round % 3, 1}) {
            ++seed;
            if (replay.state().phase_of(k) == xg::sync_protocol::phase::waiting) CHECK(replay.begin(k));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(static_cast<int>(i) * (seed + 3) % 1009 - 504) / 64;
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(static_cast<int>(i) * (seed + 7) % 3000);
            replay.compute(k, target = values, ids = rows);
            CHECK(replay.push(k));
            if (k == round % 3 && replay.state().tokens().count > 0) CHECK(replay.begin(k));
        }
        if (replay.can_update()) replay.update();
        for (int k = 0; k < 3; ++k)
            if (replay.state().phase_of(k) == xg::sync_protocol::phase::waiting) CHECK(replay.begin(k));
    }
    CHECK(train.global_step() == 4);
    return test::state(train);
}
}   // namespace

TEST_CASE("large gradients, dense and of rows, leave the same bits") {
    auto const fused = train<xg::fused>(), faithful = train<xg::faithful>();
    REQUIRE(fused.size() == faithful.size());
    CHECK(std::equal(fused.begin(), fused.end(), faithful.begin()));
    CHECK(std::any_of(fused.begin(), fused.end(), [](float v) { return v != 0; }));
}
