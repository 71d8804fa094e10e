// SPDX-License-Identifier: MIT
// expect-error: xgrad::lexsort\(keys\.\.\.\): the keys have different shapes
// A key for all rows.
#include <xgrad/ops/index/lexsort.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 3>;
constexpr auto y = xg::input<"y", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::lexsort(x, y);
#else
constexpr auto z = xg::lexsort(x, xg::broadcast_to<4, 3>(y));
#endif
