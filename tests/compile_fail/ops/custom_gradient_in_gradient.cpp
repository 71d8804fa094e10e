// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): the gradient calls itself with arguments of the same shapes, without an end
// A gradient that runs itself.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct pass : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
struct gradient : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h, auto, auto g) { return g * xg::custom_gradient<twice, gradient>(h); }
#else
    static constexpr auto value(auto h, auto, auto g) { return g * xg::custom_gradient<twice, pass>(h); }
#endif
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
