// SPDX-License-Identifier: MIT
// expect-error: xgrad::crop_and_resize<height, width, how>\(x, boxes, images\): how is neither
// A cubic crop.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto b = xg::input<"b", float, 5, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::crop_and_resize<2, 2, xg::interpolation::bicubic>(x, b, i);
#else
constexpr auto w = xg::crop_and_resize<2, 2>(x, b, i);
#endif
