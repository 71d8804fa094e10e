// SPDX-License-Identifier: MIT
// expect-error: jvp found the gradient of a custom_gradient<body, gradient>\(x\.\.\.\) that is not linear in g
// A jvp in the body of a loop, of a gradient that bounds g.
#include <xgrad/xgrad.hpp>

#include <xgrad/grad/vector_products.hpp>

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
constexpr auto rows = xg::input<"rows", float, 5, 4>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        return xg::carry(xg::jvp(xg::custom_gradient<body, back>(before), before, row));
    }
};

xg::function f{std::get<0>(xg::scan<cell>(xg::carry(w), rows))};
