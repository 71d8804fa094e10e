// SPDX-License-Identifier: MIT
// expect-error: xgrad::lp_pool2d<p, size>\(x\): p is below 1
// A norm of order 0.
#include <xgrad/ops/pooling/average_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::lp_pool2d<0, 2>(x);
#else
constexpr auto w = xg::lp_pool2d<2, 2>(x);
#endif
