// SPDX-License-Identifier: MIT
// expect-error: xgrad: the size, strides, dilations or padding of extract_patches
// A stride of 0.
#include <xgrad/ops/images/patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::extract_patches<2, xg::window{.strides = 0}>(x);
#else
constexpr auto w = xg::extract_patches<2, xg::window{.strides = 1}>(x);
#endif
