// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(...\) of this operation has another form
// One gradient for two operands.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct mix_op : xg::elementwise_op {
    static constexpr std::string_view name = "mix";
    static auto value(auto a, auto b) { return a + b + b; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol, xg::symbol g) { return g; }
#else
    static constexpr xg::symbols derivative(xg::symbol, xg::symbol, xg::symbol, xg::symbol g) { return {{g, g + g}}; }
#endif
};
inline constexpr xg::elementwise<mix_op> mix{};
constexpr auto x = xg::input<"x", float, 4>;
constexpr auto z = mix(x, x);
