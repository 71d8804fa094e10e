// SPDX-License-Identifier: MIT
// expect-error: xgrad::ravel_multi_index<d...>\(i, j...\): the operands are not one for each extent
// One coordinate of two.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::ravel_multi_index<3, 4>(ids);
#else
constexpr auto z = xg::ravel_multi_index<3, 4>(ids, ids);
#endif
