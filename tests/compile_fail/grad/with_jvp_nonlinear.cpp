// SPDX-License-Identifier: MIT
// expect-error: xgrad::with_jvp<body, tangent>\(x\.\.\.\): tangent::value is not linear in its tangents
// The tangent of a square contains the square of t.
#include <xgrad/grad/with_jvp.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct tangent : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto t) { return 2_c * h * t * t; }
#else
    static constexpr auto value(auto h, auto t) { return 2_c * h * t; }
#endif
};
struct squared : xg::region {
    static constexpr auto value(auto h) { return h * h; }
};
constexpr auto z = xg::with_jvp<squared, tangent>(x);
