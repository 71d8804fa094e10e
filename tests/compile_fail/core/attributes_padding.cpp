// SPDX-License-Identifier: MIT
// expect-error: xgrad: the attributes of this operation are not plain members that fill words of 8 bytes without gaps
// Four bytes, followed by padding without a defined value.
#include <xgrad/core/operations/elementwise.hpp>

namespace xg = xgrad;

struct shifted_op : xg::composite_op {
    struct attributes {
        std::int32_t by;
#ifndef XGRAD_EXPECT_ERROR
        std::int32_t unused = 0;
#endif
    };
    static constexpr std::string_view name = "shifted";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[0]; }
};
constexpr auto x = xg::input<"x", float, 5>;
constexpr auto z = xg::apply<xg::with<shifted_op, shifted_op::attributes{1}>>(x);
