// SPDX-License-Identifier: MIT
// expect-error: xgrad: resize2d<height, width>\(x\), resize1d<n>\(x\) or upsample_nearest2d<factor>\(x\) gets an x with
// One image.
#include <xgrad/ops/images/resize.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::resize2d<4, 4>(x);
#else
constexpr auto w = xg::resize2d<4, 4>(xg::expand_dims<0>(x));
#endif
