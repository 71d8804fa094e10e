// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): the body calls itself with arguments of the same shapes, without an end
// A body that runs itself.
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
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::with_jvp<body, along>(h); }
#else
    static constexpr auto value(auto h) { return xg::with_jvp<twice, along>(h); }
#endif
};
constexpr auto z = xg::with_jvp<body, along>(x);
