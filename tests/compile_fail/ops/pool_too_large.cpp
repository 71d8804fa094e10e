// SPDX-License-Identifier: MIT
// expect-error: xgrad: the window of a pool is longer than a spatial axis
// A window beyond the array.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_pool2d<5>(x);
#else
constexpr auto w = xg::max_pool2d<4>(x);
#endif
