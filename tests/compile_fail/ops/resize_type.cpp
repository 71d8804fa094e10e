// SPDX-License-Identifier: MIT
// expect-error: xgrad: resize2d<height, width>\(x\), resize1d<n>\(x\) or upsample_nearest2d<factor>\(x\) gets an x that
// Integers.
#include <xgrad/ops/images/resize.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 2, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::resize1d<4>(x);
#else
constexpr auto w = xg::resize1d<4>(xg::cast<float>(x));
#endif
