// SPDX-License-Identifier: MIT
// expect-error: jvp found the gradient of a custom_gradient<body, gradient>\(x\.\.\.\) that is not linear in g
// Columns of a Jacobian of a gradient that bounds g.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/jacobian.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct body : xg::region {
    static constexpr auto value(auto a) { return xg::sin(a); }
};
struct back : xg::region {
    static constexpr auto value(auto, auto y, auto g) {
#ifdef XGRAD_EXPECT_ERROR
        return xg::tanh(g) * y;
#else
        return g * xg::tanh(y);
#endif
    }
};
constexpr auto w = xg::input<"w", float, 4>;

xg::function f{xg::jacobian(xg::concat<0>(w, xg::custom_gradient<body, back>(w)), w)};
