// SPDX-License-Identifier: MIT
// expect-error: xgrad: grid_sample\(x, grid\) or crop_and_resize\(x, boxes, images\): height or width
// A named height.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", float, 2, n, 8, 3>;
constexpr auto y = xg::input<"y", float, 2, 8, 8, 3>;
constexpr auto g = xg::input<"g", float, 2, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::grid_sample(x, g);
#else
constexpr auto w = xg::grid_sample(y, g);
#endif
