// SPDX-License-Identifier: MIT
// expect-error: xgrad: extract_patches or fold_patches with a stride above 1
// A stride over an axis of unknown length.
#include <xgrad/ops/images/patches.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", float, 2, n, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::extract_patches<2, xg::window{.strides = 2}>(x);
#else
constexpr auto w = xg::extract_patches<2>(x);
#endif
