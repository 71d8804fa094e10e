// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): the body calls itself with arguments of the same shapes, without an end
// A body that runs itself.
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
struct body : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto h) { return xg::custom_gradient<body, pass>(h); }
#else
    static constexpr auto value(auto h) { return xg::custom_gradient<twice, pass>(h); }
#endif
};
constexpr auto z = xg::custom_gradient<body, pass>(x);
