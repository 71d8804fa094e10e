// SPDX-License-Identifier: MIT
// expect-error: xgrad: a size of resize2d<height, width>\(x\), or the factor
// A factor of 0.
#include <xgrad/ops/images/resize.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::upsample_nearest2d<0>(x);
#else
constexpr auto w = xg::upsample_nearest2d<2>(x);
#endif
