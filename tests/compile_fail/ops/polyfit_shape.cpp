// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyfit<degree>\(x, y, w\): the shapes are not \[n\] for x and w
// Samples in the rows.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 9>;
constexpr auto y = xg::input<"y", float, 2, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyfit<1>(x, y);
#else
constexpr auto z = xg::polyfit<1>(x, xg::transpose<1, 0>(y));
#endif
