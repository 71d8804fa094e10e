// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): the body reads float or double expressions that are not arguments, so that their gradients are lost
// The body reads a variable.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto v = xg::variable<"v", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
struct body : xg::region {
    static constexpr auto value(auto h) { return h * v; }
};
struct tangent : xg::region {
    static constexpr auto value(auto, auto t) { return t * v; }
};
constexpr auto z = xg::with_jvp<body, tangent>(x);
#else
struct body : xg::region {
    static constexpr auto value(auto h, auto u) { return h * u; }
};
struct tangent : xg::region {
    static constexpr auto value(auto h, auto u, auto th, auto tu) { return th * u + h * tu; }
};
constexpr auto z = xg::with_jvp<body, tangent>(x, v);
#endif
