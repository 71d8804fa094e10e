// SPDX-License-Identifier: MIT
// expect-error: xgrad::extract_volume_patches<size, window\{...\}>\(x\): a stride is above 1 along a named dimension
// A named height.
#include <xgrad/ops/images/volume_patches.hpp>

namespace xg = xgrad;

inline constexpr xg::dim height{"height"};
constexpr auto x = xg::input<"x", float, 1, 8, height, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::extract_volume_patches<2, xg::window{.strides = 2}>(x);
#else
constexpr auto y = xg::extract_volume_patches<2>(x);
#endif
