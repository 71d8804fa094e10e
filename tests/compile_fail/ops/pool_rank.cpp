// SPDX-License-Identifier: MIT
// expect-error: xgrad: a pool such as max_pool2d<size>\(x\) gets an x with another number of axes
// x that is not [batch, height, width, channels].
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_pool2d<2>(x);
#else
constexpr auto w = xg::max_pool1d<2>(x);
#endif
