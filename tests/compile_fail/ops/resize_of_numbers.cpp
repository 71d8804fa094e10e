// SPDX-License-Identifier: MIT
// expect-error: xgrad::resize2d<height, width>\(x\): the sizes stand between parentheses
// Sizes between parentheses.
#include <xgrad/ops/images/resize.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::resize2d(x, 4, 4);
#else
constexpr auto y = xg::resize2d<4, 4>(x);
#endif
