// SPDX-License-Identifier: MIT
// expect-error: xgrad::nan_quantile<axes\.\.\.>\(x, q\): q is neither a number nor a scalar
// Several fractions.
#include <xgrad/ops/over_axes/nan_reductions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 3>;
constexpr auto q = xg::input<"q", float, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nan_quantile<1>(x, q);
#else
constexpr auto z = xg::nan_quantile<1>(x, xg::sum(q));
#endif
