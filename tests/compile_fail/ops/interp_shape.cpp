// SPDX-License-Identifier: MIT
// expect-error: xgrad::interp\(x, xs, ys\): xs and ys are not one axis of the same extent, at least 1
// Fewer values than points.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5>;
constexpr auto p = xg::input<"p", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::interp(x, x, p);
#else
constexpr auto z = xg::interp(x, p, p);
#endif
