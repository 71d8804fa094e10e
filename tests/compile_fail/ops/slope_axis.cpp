// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis>\(y, spacing\), cumulative_trapezoid<axis>\(y, x\): axis is outside of
// An axis that y does not have.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 4, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::numerical_gradient<2>(y);
#else
constexpr auto z = xg::numerical_gradient<1>(y);
#endif
