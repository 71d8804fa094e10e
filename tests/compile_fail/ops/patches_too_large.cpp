// SPDX-License-Identifier: MIT
// expect-error: xgrad: the window of extract_patches or fold_patches is longer
// A window beyond the image.
#include <xgrad/ops/images/patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::extract_patches<5>(x);
#else
constexpr auto w = xg::extract_patches<4>(x);
#endif
