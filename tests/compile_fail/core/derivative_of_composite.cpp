// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(...\) of this operation has another form
// The result is omitted: the derivative would be that of the parts.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct twice_op : xg::composite_op {
    static constexpr std::string_view name = "twice";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[0] + x[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol g) { return g + g; }
#else
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return g + g; }
#endif
};
constexpr auto x = xg::input<"x", float, 4>;
constexpr auto z = xg::apply<twice_op>(x);
