// SPDX-License-Identifier: MIT
// Updates of whole variables, also in the tiles of products, that run part by part leave the bits that whole steps leave.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "exec/step_part.hpp"

using namespace step_part;

namespace {
constexpr auto v = xg::variable<"v", float, features, 1>;
constexpr auto scale = xg::variable<"scale", float, features>;
constexpr auto dense_loss = xg::mean(xg::square(xg::matmul<false, true>(hidden, w) * scale)) + xg::sum(xg::square(xg::matmul(x, v)));

/// Adam with its moments in 16 bits.
struct short_adam : xg::adam {
    static constexpr std::array slots{xg::slot_info("m", xg::dtype::float16), xg::slot_info("v", xg::dtype::bfloat16),
        xg::slot_info("beta1_power", xg::per::optimizer), xg::slot_info("beta2_power", xg::per::optimizer)};
};

TEST_CASE("updates, also in the tiles of a product, run in parts with the same bits") {
    CHECK(compare_updates(xg::adam{.learning_rate = 0.01}, dense_loss).fused > 0);
    CHECK(compare_updates(short_adam{}, dense_loss).updates > 0);
    CHECK(compare_updates(xg::rowwise_adagrad{}, dense_loss).updates == 0);   // needs whole rows
}

template<std::int64_t Rows>
void compare_tall() {
    CAPTURE(Rows);
    constexpr auto up = xg::variable<"up", float, 10, Rows>;
    constexpr auto tall = xg::variable<"tall", float, Rows, 37>;   // a panel of columns, one in part
    constexpr auto loss = xg::mean(xg::square(xg::matmul(xg::tanh(xg::matmul(hidden, up)), tall)));
    counts const n = compare_updates(xg::adam{.learning_rate = 0.01}, loss);
    CHECK(n.static_rows > 0);
    CHECK(n.fused > 0);
}
TEST_CASE("updates behind products of static height") {   // no rows after the tiles, few, more than a tile
    compare_tall<144>();
    compare_tall<129>();
    compare_tall<141>();
    compare_tall<138>();
}
}   // namespace
