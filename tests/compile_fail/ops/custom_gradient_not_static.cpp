// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): body::value cannot be called with these arguments
// A value that is not static.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct pass : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    constexpr auto value(auto h) const { return h * 2_c; }
#else
    static constexpr auto value(auto h) { return h * 2_c; }
#endif
};
constexpr auto z = xg::custom_gradient<body, pass>(x);
