// SPDX-License-Identifier: MIT
// Rules that move every row of variables of 16 bits round once.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "half_rules.hpp"

namespace xg = xgrad;
using namespace half_rules;

// Each model costs the compiler of sanitizers up to a minute: half_sparse_rules_test.cpp has theirs.
#if !XGRAD_SANITIZED
TEST_CASE_TEMPLATE("each rule rounds once: dense, in the tiles of a product, by rows", H, xg::bfloat16, xg::float16) {
    compare<H, 19>(xg::gradient_descent{.learning_rate = 0.5});
    compare<H, 19>(xg::adam{.learning_rate = 0.1});
    compare<H, 3>(xg::adamw{.learning_rate = 0.1, .weight_decay = 0.1});
}
TEST_CASE("more rules") {
    compare<xg::bfloat16, 1>(xg::momentum{.learning_rate = 0.1, .momentum = 0.9});
    compare<xg::float16, 5>(xg::lamb{.learning_rate = 0.1});
}
#endif

TEST_CASE("an exact rule with a part for the rows that occur rounds once, in blocks and by rows") {
    constexpr auto t = xg::variable<"t", xg::bfloat16, 9, 3>;
    constexpr auto wide = xg::variable<"t", float, 9, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto g = xg::input<"g", float, batch, 3>;
    xg::adamw const rule{.learning_rate = 0.013, .weight_decay = 0.37};
    auto train = xg::minimize(xg::sum(xg::gather(t, ids) * g), rule);
    auto other = xg::minimize(xg::sum(xg::gather(wide, ids) * g), rule);
    train.initialize(xg::random_uniform{.seed = 2, .range = 1});
    std::vector<std::int32_t> const rows{4, 8, 4};
    auto const values = sine_numbers<float>(9);
    int apart = 0;
    for (int step = 0; step < 30; ++step) {
        copy(train.value(t), other.value(wide));
        train(ids = rows, g = xg::array(values.data(), 3, 3));
        other(ids = rows, g = xg::array(values.data(), 3, 3));
        apart += differences(train.value(t), other.value(wide));
    }
    CHECK(apart == 0);
}
