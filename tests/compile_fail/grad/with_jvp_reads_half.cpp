// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): the tangent reads bfloat16 or float16, which bodies cannot hold
// The tangent reads a variable of float16.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto half = xg::variable<"half", xg::float16, 4>;
struct body : xg::region {
    static constexpr auto value(auto h, auto v) { return h * v; }
};
struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto, auto t, auto tv) { return t * half + h * tv; }
#else
    static constexpr auto value(auto h, auto v, auto t, auto tv) { return t * v + h * tv; }
#endif
};
constexpr auto z = xg::with_jvp<body, tangent>(x, xg::cast<float>(half));
