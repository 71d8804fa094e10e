// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis>\(y, spacing\), cumulative_trapezoid<axis>\(y, x\): y is neither float nor double
// Integers.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", std::int32_t, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::numerical_gradient(y);
#else
constexpr auto z = xg::numerical_gradient(xg::cast<float>(y));
#endif
