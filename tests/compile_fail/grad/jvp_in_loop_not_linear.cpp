// SPDX-License-Identifier: MIT
// expect-error: jvp found a derivative\(...\) or derive\(...\) that is not linear in its gradient
// An operation that bounds its gradient, in the body of a loop.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/vector_products.hpp>

namespace xg = xgrad;
using namespace xg::literals;

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
constexpr auto rows = xg::input<"rows", float, 5, 4>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) { return xg::carry(xg::apply<bounded>(before * row)); }
};

xg::function f{xg::jvp(std::get<0>(xg::scan<cell>(xg::carry(w), rows)), w, w)};
