// SPDX-License-Identifier: MIT
// expect-error: xgrad::ragged_range<capacity>\(starts, limits, steps\): they are not
// Integers and floating numbers.
#include <xgrad/ops/sparse/ragged.hpp>

namespace xg = xgrad;

constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::ragged_range<4>(i, i, xg::input<"v", float, 3>);
#else
constexpr auto y = xg::ragged_range<4>(i, i, i);
#endif
