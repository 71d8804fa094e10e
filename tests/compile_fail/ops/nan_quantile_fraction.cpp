// SPDX-License-Identifier: MIT
// expect-error: xgrad::nan_quantile<axes\.\.\.>\(x, q\): q is outside of 0 \.\.\. 1
// A percentage.
#include <xgrad/ops/over_axes/nan_reductions.hpp>

namespace xg = xgrad;
using namespace xg::literals;
constexpr auto x = xg::input<"x", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nan_quantile<1>(x, 25_c);
#else
constexpr auto z = xg::nan_quantile<1>(x, 0.25_c);
#endif
