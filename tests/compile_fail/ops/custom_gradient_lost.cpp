// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): the body reads float or double expressions that are not arguments, so that their gradients are lost
// The body reads a variable.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto v = xg::variable<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
struct body : xg::region {
    static constexpr auto value(auto h) { return h * v; }
};
struct gradient : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g * v; }
};
constexpr auto z = xg::custom_gradient<body, gradient>(x);
#else
struct body : xg::region {
    static constexpr auto value(auto h, auto u) { return h * u; }
};
struct gradient : xg::region {
    static constexpr auto value(auto h, auto u, auto, auto g) { return std::tuple{g * u, xg::sum<0>(g * h)}; }
};
constexpr auto z = xg::custom_gradient<body, gradient>(x, v);
#endif
