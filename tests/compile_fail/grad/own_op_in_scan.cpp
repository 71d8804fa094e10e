// SPDX-License-Identifier: MIT
// expect-error: xgrad: a gradient reaches an operation without derivative
// more errors: clang has no program then
// In the body of a loop: w would have no gradient through it.
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
constexpr auto w = xg::input<"w", float, 4>;
constexpr auto x = xg::input<"x", float, 3, 4>;
struct body : xg::region {
    static constexpr auto value(auto total, auto row) { return xg::carry(total + row * xg::elementwise<cube_op>{}(w)); }
};
constexpr auto total = xg::scan<body>(xg::carry(xg::broadcast_to<4>(xg::constant<float, 0>)), x);
void run() { xg::function f{xg::gradient_of(xg::sum(std::get<0>(total)), w)}; }
