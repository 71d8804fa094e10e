// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyfit<degree>\(x, y\): the number of points is a named dimension or not above the degree
// Too few points.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyfit<3>(x, x);
#else
constexpr auto z = xg::polyfit<2>(x, x);
#endif
