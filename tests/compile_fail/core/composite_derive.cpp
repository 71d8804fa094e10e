// SPDX-License-Identifier: MIT
// expect-error: xgrad: this composite_op has derive\(\.\.\.\), which only row_op and kernel_op have
// The gradient in the form of an operation on rows: it would be that of the parts.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct twice_op : xg::composite_op {
    static constexpr std::string_view name = "twice";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[0] + x[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr void derive(xg::derivation& d) { d.out[0] = d.gradient + d.gradient; }
#else
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
#endif
};
constexpr auto x = xg::input<"x", float, 4>;
constexpr auto z = xg::apply<twice_op>(x);
