// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): an argument is not an expression
// A number as an argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

struct twice : xg::region {
    static constexpr auto value(auto h) { return h * 2_c; }
};
struct pass : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::custom_gradient<twice, pass>(1.0f);
#else
constexpr auto z = xg::custom_gradient<twice, pass>(xg::cast<float>(1_c));
#endif
