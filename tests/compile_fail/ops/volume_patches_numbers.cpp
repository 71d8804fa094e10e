// SPDX-License-Identifier: MIT
// expect-error: xgrad::extract_volume_patches<size, window\{...\}>\(x\): a size, stride, dilation or padding is too small
// Two numbers for three axes.
#include <xgrad/ops/images/volume_patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 8, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::extract_volume_patches<xg::per_axis{2, 3}>(x);
#else
constexpr auto y = xg::extract_volume_patches<xg::per_axis{2, 3, 3}>(x);
#endif
