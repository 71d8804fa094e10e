// SPDX-License-Identifier: MIT
// expect-error: xgrad: this element-wise operation gets more or fewer operands than its value\(\.\.\.\) has parameters
// Two operands have a derivative each; the call has one.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct distance_op : xg::elementwise_op {
    static constexpr std::string_view name = "distance";
    static auto value(auto a, auto b) { return xg::math::sqrt(a * a + b * b); }
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol y, xg::symbol g) { return {{g * a / y, g * b / y}}; }
};
inline constexpr xg::elementwise<distance_op> distance{};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = distance(x);
#else
constexpr auto z = distance(x, x);
#endif
