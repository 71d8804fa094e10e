// SPDX-License-Identifier: MIT
// expect-error: xgrad::nan_sum<axes\.\.\.>\(x\), nan_mean, nan_max and the like: x is neither float nor double
// Integers have no NaN.
#include <xgrad/ops/over_axes/nan_reductions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nan_max<1>(x);
#else
constexpr auto z = xg::max<1>(x);
#endif
