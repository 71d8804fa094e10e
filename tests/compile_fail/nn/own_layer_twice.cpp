// SPDX-License-Identifier: MIT
// expect-error: xgrad: two layers have one name
// A user's layer that says by `owned` which operand is its variable.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

struct scale_op : xg::composite_op {
    static constexpr std::string_view name = "scale";
    static constexpr int owned = 1;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[1] * x[0]; }
};
template<xg::fixed_string Name, xg::Expr X>
constexpr auto scaled(X const& x) {
    return xg::apply<scale_op>(x, xg::scope<Name>::template variable<"gain", float, 4>);
}
constexpr auto x = xg::input<"x", float, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(xg::mean(xg::square(scaled<"gains">(xg::tanh(scaled<"gains">(x))))), xg::adam{.learning_rate = 1e-3});
#else
auto train = xg::minimize(xg::mean(xg::square(scaled<"others">(xg::tanh(scaled<"gains">(x))))), xg::adam{.learning_rate = 1e-3});
#endif
