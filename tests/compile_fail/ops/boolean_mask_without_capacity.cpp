// SPDX-License-Identifier: MIT
// expect-error: xgrad::boolean_mask<capacity>\(x, mask\): there is no capacity
// A mask whose result has any number of rows.
#include <xgrad/ops/index/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 64>;
constexpr auto m = xg::input<"m", bool, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::boolean_mask(x, m);
#else
constexpr auto y = xg::boolean_mask<2>(x, m);
#endif
