// SPDX-License-Identifier: MIT
// expect-error: jvp found a derivative\(...\) or derive\(...\) that is not linear in its gradient
// An operation that bounds its gradient.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/vector_products.hpp>

namespace xg = xgrad;
using namespace xgrad::literals;

struct bounded : xg::elementwise_op {   // its derivative is not linear in g
    static constexpr std::string_view name = "bounded";
    static auto value(auto x) { return x; }
#ifdef XGRAD_EXPECT_ERROR
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return xg::tanh(g); }
#else
    static constexpr xg::symbol derivative(xg::symbol, xg::symbol, xg::symbol g) { return 2_c * g; }
#endif
};
constexpr auto w = xg::input<"w", float, 4>;

xg::function f{xg::jvp(xg::apply<bounded>(w), w, w)};
