// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): no argument is float or double, so that there is no gradient
// An integer is the only argument.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto k = xg::input<"k", std::int32_t>;

struct pass : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
struct body : xg::region {
    static constexpr auto value(auto n) { return xg::cast<float>(n); }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::custom_gradient<body, pass>(k);
#else
constexpr auto z = xg::call<body>(k);
#endif
