// SPDX-License-Identifier: MIT
// expect-error: xgrad: extract_patches<size>\(x\) or fold_patches<height, width, size>\(p\) gets an operand that is
// Integers.
#include <xgrad/ops/images/patches.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::extract_patches<2>(x);
#else
constexpr auto w = xg::extract_patches<2>(xg::cast<float>(x));
#endif
