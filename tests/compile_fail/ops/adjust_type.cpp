// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of images such as adjust_contrast or rgb_to_hsv gets an x that
// Integers.
#include <xgrad/ops/images/adjust.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::rgb_to_grayscale(x);
#else
constexpr auto w = xg::rgb_to_grayscale(xg::cast<float>(x));
#endif
