// SPDX-License-Identifier: MIT
// expect-error: xgrad: expand\(\.\.\.\) of this composite_op makes another element type or shape
// infer says double, and the parts are float.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::composite_op {
    static constexpr std::string_view name = "my";
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* a, int, xg::attributes const&) { return a[0] * a[0]; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return {xg::dtype::float64, v[0].dims, {}}; }
#else
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
#endif
};
constexpr auto z = xg::apply<my_op>(x);
