// SPDX-License-Identifier: MIT
// expect-error: xgrad::extract_volume_patches<size, window\{...\}>\(x\): the window is longer than an axis
// A window of ten rows.
#include <xgrad/ops/images/volume_patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 8, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::extract_volume_patches<10>(x);
#else
constexpr auto y = xg::extract_volume_patches<8>(x);
#endif
