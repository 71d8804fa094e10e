// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis, order>\(y, spacing\): order is neither 1 nor 2
// An order that does not exist.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::numerical_gradient<0, 3>(y);
#else
constexpr auto z = xg::numerical_gradient<0, 2>(y);
#endif
