// SPDX-License-Identifier: MIT
// expect-error: xgrad: the shape of unravel_index<d...>\(ids\) or ravel_multi_index<d...>\(i, j...\) is not one to six extents
// A shape without an extent.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unravel_index<>(ids);
#else
constexpr auto z = xg::unravel_index<3>(ids);
#endif
