// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(\.\.\.\) returns more or fewer symbols than the operation has operands
// One symbol for two operands: the second would get no gradient.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::elementwise_op {
    static constexpr std::string_view name = "my";
    static auto value(auto a, auto b) { return a * b; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol, xg::symbol, xg::symbol g) { return {{g * a}}; }
#else
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol, xg::symbol, xg::symbol g) { return {{g * a, {}}}; }
#endif
};
inline constexpr xg::elementwise<my_op> my{};
constexpr auto z = my(x, x);
