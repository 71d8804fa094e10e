// SPDX-License-Identifier: MIT
// expect-error: xgrad::custom_gradient<body, gradient>\(x\.\.\.\): body and gradient are not two types between < and >
// Lambdas as bodies.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct pass : xg::region {
    static constexpr auto value(auto, auto, auto g) { return g; }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::custom_gradient<[](auto h) { return h; }, [](auto, auto, auto g) { return g; }>(x);
#else
constexpr auto z = xg::custom_gradient<same, pass>(x);
#endif
