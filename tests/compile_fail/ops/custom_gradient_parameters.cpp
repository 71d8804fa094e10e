// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): gradient::value cannot be called with x\.\.\., y\.\.\., g\.\.\.
// The gradient does not take the result.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct gradient : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto g) { return g * 2_c; }
#else
    static constexpr auto value(auto, auto, auto g) { return g * 2_c; }
#endif
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
