// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches an operation without derivative
// The only way from the variable to the loss has no derivative.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct cube_op : xg::elementwise_op {
    static constexpr std::string_view name = "cube";
    static auto value(auto a) { return a * a * a; }
#ifndef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return g * 3_c * a * a; }
#endif
};
constexpr auto w = xg::variable<"w", float, 4>;
float step() {
    auto train = xg::minimize(xg::sum(xg::elementwise<cube_op>{}(w)), xg::adam{});
    return train();
}
