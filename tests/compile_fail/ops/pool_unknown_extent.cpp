// SPDX-License-Identifier: MIT
// expect-error: xgrad: a pool with a stride above 1 gets a spatial axis that is a named
// A stride over an axis of unknown length.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

inline constexpr xg::dim n{"n"};
constexpr auto x = xg::input<"x", float, 2, n, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_pool1d<2>(x);
#else
constexpr auto w = xg::max_pool1d<2, xg::pool_window{.strides = 1}>(x);
#endif
