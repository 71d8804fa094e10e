// SPDX-License-Identifier: MIT
// expect-error: xgrad::segment_\.\.\.<segments>\(x, ids\): x is bool, or not float or double for a mean
// the mean of integers.
#include <xgrad/ops/segments.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto i = xg::input<"i", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::segment_mean<2>(i, i);
#else
constexpr auto z = xg::segment_mean<2>(xg::cast<float>(i), i);
#endif
