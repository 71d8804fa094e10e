// SPDX-License-Identifier: MIT
// expect-error: xgrad: this element-wise operation has more than three operands
// Four operands.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
struct lerp_op : xg::elementwise_op {
    static constexpr std::string_view name = "lerp";
#ifdef XGRAD_EXPECT_ERROR
    static auto value(auto a, auto b, auto t, auto scale) { return (a + t * (b - a)) * scale; }
};
inline constexpr xg::elementwise<lerp_op> lerp{};
constexpr auto z = lerp(x, x, x, x);
#else
    static auto value(auto a, auto b, auto t) { return a + t * (b - a); }
};
inline constexpr xg::elementwise<lerp_op> lerp{};
constexpr auto z = lerp(x, x, x) * x;
#endif
