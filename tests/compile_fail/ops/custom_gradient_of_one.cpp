// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): body and gradient are not two types between < and >
// The gradient is missing.
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
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::custom_gradient<twice>(x);
#else
constexpr auto z = xg::custom_gradient<twice, pass>(x);
#endif
