// SPDX-License-Identifier: MIT
// expect-error: xgrad::max_unpool2d<extents>\(y, positions\): y is not floating, or
// The positions first.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto z = xg::input<"z", float, 2, 2, 2, 1>;
constexpr auto p = xg::input<"p", std::int32_t, 2, 2, 2, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_unpool2d<4>(p, z);
#else
constexpr auto w = xg::max_unpool2d<4>(z, p);
#endif
