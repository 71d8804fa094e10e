// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): a result of the body is not float or double, and has no tangent
// A result of bool.
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
    static constexpr auto value(auto h) { return xg::greater(h, 0_c); }
#else
    static constexpr auto value(auto h) { return xg::cast<float>(xg::greater(h, 0_c)); }
#endif
};
constexpr auto z = xg::with_jvp<body, along>(x);
