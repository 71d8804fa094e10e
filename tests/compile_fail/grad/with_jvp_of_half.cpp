// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): the body takes, reads or gives bfloat16 or float16, which bodies cannot hold
// An argument of float16.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

constexpr auto half = xg::variable<"half", xg::float16, 4>;
struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct along : xg::region {
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::with_jvp<twice, along>(half);
#else
constexpr auto z = xg::with_jvp<twice, along>(xg::cast<float>(half));
#endif
