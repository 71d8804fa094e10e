// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of images that needs height, width and channels as integers
// A named height.
#include <xgrad/ops/images/adjust.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", float, 2, n, 8, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::per_image_standardization(x);
#else
constexpr auto w = xg::random_flip_up_down<"up">(x);
#endif
