// SPDX-License-Identifier: MIT
// expect-error: xgrad::rfft2\(x\): x has fewer than two axes
// One axis.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::rfft2(x);
#else
constexpr auto z = xg::rfft2(xg::expand_dims<0>(x));
#endif
