// SPDX-License-Identifier: MIT
// expect-error: xgrad::numerical_gradient<axis>\(y, spacing\), cumulative_trapezoid<axis>\(y, x\): the operands have different element types
// Two element types.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto y = xg::input<"y", float, 9>;
constexpr auto x = xg::input<"x", double, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cumulative_trapezoid(y, x);
#else
constexpr auto z = xg::cumulative_trapezoid(y, xg::cast<float>(x));
#endif
