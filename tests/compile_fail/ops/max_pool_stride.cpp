// SPDX-License-Identifier: MIT
// expect-error: xgrad::max_pool2d<size, window>\(x\): the window is a number
// A stride as a number.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::max_pool2d<2, 2>(x);
#else
constexpr auto y = xg::max_pool2d<2, xg::pool_window{.strides = 2}>(x);
#endif
