// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis>\(y, spacing\), cumulative_trapezoid<axis>\(y, x\): the second operand is neither a number nor one axis
// Distances in place of the places.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 9>;
constexpr auto h = xg::input<"h", float, 8>;
constexpr auto x = xg::input<"x", float, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::numerical_gradient(y, h);
#else
constexpr auto z = xg::numerical_gradient(y, x);
#endif
