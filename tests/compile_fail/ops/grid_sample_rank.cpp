// SPDX-License-Identifier: MIT
// expect-error: xgrad: grid_sample\(x, grid\) or crop_and_resize<height, width>\(x, boxes, images\): x is not
// A grid of three coordinates.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto g = xg::input<"g", float, 2, 4, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::grid_sample(x, g);
#else
constexpr auto w = xg::grid_sample(x, xg::slice<3, 0, 2>(g));
#endif
