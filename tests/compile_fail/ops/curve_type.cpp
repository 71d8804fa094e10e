// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyval\(p, x\), vander<n>\(x\), interp\(x, xs, ys\), trapezoid<axis>\(y, x\): an operand is neither float nor double
// Integers.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::vander<3>(x);
#else
constexpr auto z = xg::vander<3>(xg::cast<float>(x));
#endif
