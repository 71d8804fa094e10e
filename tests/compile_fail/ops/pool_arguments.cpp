// SPDX-License-Identifier: MIT
// expect-error: xgrad: the size and the window of a pool are arguments; write them in angle brackets: max_pool2d<2,
// The size as an argument.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::max_pool2d(x, 2);
#else
constexpr auto y = xg::max_pool2d<2>(x);
#endif
