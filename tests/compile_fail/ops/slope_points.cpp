// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis>\(y, spacing\), cumulative_trapezoid<axis>\(y, x\): the axis has too few points
// One point.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 9, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::numerical_gradient(y);
#else
constexpr auto z = xg::numerical_gradient<0>(y);
#endif
