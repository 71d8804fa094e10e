// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): a result of the body is not float or double, and has no gradient
// A result of bool.
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
    static constexpr auto value(auto h) { return xg::greater(h, 0_c); }
#else
    static constexpr auto value(auto h) { return xg::cast<float>(xg::greater(h, 0_c)); }
#endif
};
constexpr auto z = xg::custom_gradient<body, pass>(x);
