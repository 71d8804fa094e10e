// SPDX-License-Identifier: MIT
// expect-error: xgrad: derivative\(...\) of this operation has another form
// Two operands, and the derivative of one: the other would get no gradient.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct product_op : xg::composite_op {
    static constexpr std::string_view name = "product";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[0] * x[1]; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol g) { return {{g * b, g * a}}; }
#else
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol, xg::symbol g) { return {{g * b, g * a}}; }
#endif
};
constexpr auto x = xg::input<"x", float, 4>;
constexpr auto z = xg::apply<product_op>(x, x);
