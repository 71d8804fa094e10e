// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyval\(p, x\): p is not one axis of an integer extent of at most 64
// Coefficients in two axes.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto p = xg::input<"p", float, 4, 5>;
constexpr auto x = xg::input<"x", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyval(p, x);
#else
constexpr auto z = xg::polyval(x, p);
#endif
