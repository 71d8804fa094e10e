// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): a result of the body is a constant without element type
// A result without element type.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct along : xg::region {
    static constexpr auto value(auto, auto t) { return t * 2_c; }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto) { return 1_c; }
#else
    static constexpr auto value(auto h) { return h * 2_c; }
#endif
};
constexpr auto z = xg::with_jvp<body, along>(x);
