// SPDX-License-Identifier: MIT
// expect-error: xgrad: the size, strides, dilations or padding of a pool are too small
// Three strides for two axes.
#include <xgrad/ops/pooling/average_pool.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::average_pool2d<2, xg::pool_window{.strides = xg::per_axis{1, 2, 1}}>(x);
#else
constexpr auto w = xg::average_pool2d<2, xg::pool_window{.strides = xg::per_axis{1, 2}}>(x);
#endif
