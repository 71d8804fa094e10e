// SPDX-License-Identifier: MIT
// expect-error: xgrad: this operation has no derivative\(\.\.\.\), but a function of a similar name
// A variable below it would not move.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct cube_op : xg::elementwise_op {
    static constexpr std::string_view name = "cube";
    static auto value(auto a) { return a * a * a; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol gradient(xg::symbol a, xg::symbol, xg::symbol g) { return g * 3_c * a * a; }
#else
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return g * 3_c * a * a; }
#endif
};
inline constexpr xg::elementwise<cube_op> cube{};
constexpr auto z = cube(x);
