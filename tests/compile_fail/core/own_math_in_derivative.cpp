// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of xgrad::math, which is for numbers, gets an expression
// A function of numbers on symbols.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
    static auto value(auto a) { return a * a; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return g * xg::math::exp(a); }
#else
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return g * xg::exp(a); }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x);
