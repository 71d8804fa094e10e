// SPDX-License-Identifier: MIT
// expect-error: xgrad::extract_volume_patches<size>\(x\): x has not five axes
// One volume.
#include <xgrad/ops/images/volume_patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 8, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::extract_volume_patches<2>(x);
#else
constexpr auto y = xg::extract_volume_patches<2>(xg::expand_dims<0>(x));
#endif
