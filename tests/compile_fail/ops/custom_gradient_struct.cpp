// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): gradient is not a defined struct derived from xgrad::region
// A gradient without its base.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
#ifdef XGRAD_EXPECT_ERROR
struct gradient {
#else
struct gradient : xg::region {
#endif
    static constexpr auto value(auto, auto, auto g) { return g * 2_c; }
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
