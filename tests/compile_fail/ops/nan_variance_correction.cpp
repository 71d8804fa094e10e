// SPDX-License-Identifier: MIT
// expect-error: xgrad::nan_variance<axes\.\.\.>\(x, correction<c>\), nan_stddev: c is negative
// A negative correction.
#include <xgrad/ops/over_axes/nan_reductions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nan_stddev<1>(x, xg::correction<-1>);
#else
constexpr auto z = xg::nan_stddev<1>(x, xg::correction<1>);
#endif
