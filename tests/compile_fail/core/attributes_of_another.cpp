// SPDX-License-Identifier: MIT
// expect-error: xgrad::with<op, \.\.\.>: an argument is neither the operation's struct op::attributes, nor an extent, nor a name
// The attributes of another operation.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct shifted_op : xg::composite_op {
    struct attributes {
        std::int64_t by;
    };
    static constexpr std::string_view name = "shifted";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[0]; }
};
constexpr auto x = xg::input<"x", float, 5>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::apply<xg::with<shifted_op, xg::op::top_k::attributes{1}>>(x);
#else
constexpr auto z = xg::apply<xg::with<shifted_op, shifted_op::attributes{1}>>(x);
#endif
