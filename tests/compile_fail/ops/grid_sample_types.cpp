// SPDX-License-Identifier: MIT
// expect-error: xgrad: grid_sample\(x, grid\) or crop_and_resize\(x, boxes, images\): x and the places are not
// A grid in double.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto g = xg::input<"g", double, 2, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::grid_sample(x, g);
#else
constexpr auto w = xg::grid_sample(x, xg::cast<float>(g));
#endif
