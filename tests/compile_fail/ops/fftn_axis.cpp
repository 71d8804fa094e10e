// SPDX-License-Identifier: MIT
// expect-error: xgrad::fftn<axes\.\.\.>\(z\), fft2\(z\), rfft2\(x\): an axis is outside of -rank \.\.\. rank-1 or is there twice
// An axis twice.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fftn<0, -2>(x);
#else
constexpr auto z = xg::fftn<0, -1>(x);
#endif
