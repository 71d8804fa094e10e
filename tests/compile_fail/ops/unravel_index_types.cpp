// SPDX-License-Identifier: MIT
// expect-error: xgrad: an operand of unravel_index<d...>\(ids\) or ravel_multi_index<d...>\(i, j...\) is not an integer
// float as numbers of elements.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;

constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unravel_index<3, 4>(f);
#else
constexpr auto z = xg::unravel_index<3, 4>(xg::cast<std::int32_t>(f));
#endif
