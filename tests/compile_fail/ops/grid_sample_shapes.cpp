// SPDX-License-Identifier: MIT
// expect-error: xgrad: grid_sample\(x, grid\) or crop_and_resize\(x, boxes, images\): there is not one
// More images than grids.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 8, 8, 3>;
constexpr auto g = xg::input<"g", float, 2, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::grid_sample(x, g);
#else
constexpr auto w = xg::grid_sample(xg::slice<0, 0, 2>(x), g);
#endif
