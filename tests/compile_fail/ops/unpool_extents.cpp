// SPDX-License-Identifier: MIT
// expect-error: xgrad::max_unpool2d<extents>\(y, positions\): extents are not one positive
// An extent of 0.
#include <xgrad/ops/pooling/max_pool.hpp>

namespace xg = xgrad;

constexpr auto z = xg::input<"z", float, 2, 2, 2, 1>;
constexpr auto p = xg::input<"p", std::int32_t, 2, 2, 2, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::max_unpool2d<xg::per_axis{4, 0}>(z, p);
#else
constexpr auto w = xg::max_unpool2d<4>(z, p);
#endif
