// SPDX-License-Identifier: MIT
// expect-error: xgrad::fold_patches<height, width, size>\(p\): the patches are not those of such
// Images that have more patches.
#include <xgrad/ops/images/patches.hpp>

namespace xg = xgrad;

constexpr auto p = xg::input<"p", float, 2, 3, 3, 12>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::fold_patches<5, 4, 2>(p);
#else
constexpr auto w = xg::fold_patches<4, 4, 2>(p);
#endif
