// SPDX-License-Identifier: MIT
// expect-error: xgrad::fractional_max_pool2d<"name", places>\(x\) or fractional_average_pool2d: places are not
// More places than columns.
#include <xgrad/ops/pooling/fractional_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 6, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto all = xg::fractional_max_pool2d<"pool", 7>(x);
#else
constexpr auto all = xg::fractional_max_pool2d<"pool", 6>(x);
#endif
