// SPDX-License-Identifier: MIT
// expect-error: xgrad::segment_\.\.\.<segments>\(x, ids\), bincount<n>\(ids, weights\): the extents of ids are not the first extents of x
// ids for columns.
#include <xgrad/ops/segments.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::segment_sum<2>(xg::transpose(x), i);
#else
constexpr auto z = xg::segment_sum<2>(x, i);
#endif
