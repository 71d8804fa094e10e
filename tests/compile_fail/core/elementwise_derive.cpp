// SPDX-License-Identifier: MIT
// expect-error: xgrad: this elementwise_op has derive\(\.\.\.\), which only row_op and kernel_op have
// The gradient in the form of an operation on rows: none would pass.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct twice_op : xg::elementwise_op {
    static constexpr std::string_view name = "twice";
    static auto value(auto a) { return a + a; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient + d.gradient; }
#else
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
#endif
};
inline constexpr xg::elementwise<twice_op> twice{};
constexpr auto z = twice(xg::input<"x", float, 4>);
