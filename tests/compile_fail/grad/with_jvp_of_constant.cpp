// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): a constant among the arguments has no element type
// A constant without element type as an argument.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct along : xg::region {
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::with_jvp<twice, along>(2_c);
#else
constexpr auto z = xg::with_jvp<twice, along>(xg::constant<float, 2>);
#endif
