// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): the gradient reads bfloat16 or float16, which bodies cannot hold
// The gradient reads a variable of float16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto half = xg::variable<"half", xg::float16, 4>;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct gradient : xg::region {
#ifdef XGRAD_EXPECT_ERROR
    static constexpr auto value(auto, auto, auto g) { return g * half; }
#else
    static constexpr auto value(auto, auto, auto g) { return g * xg::cast<float>(half); }
#endif
};
constexpr auto z = xg::custom_gradient<twice, gradient>(x);
