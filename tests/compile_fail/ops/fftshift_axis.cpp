// SPDX-License-Identifier: MIT
// expect-error: xgrad::fftshift<axes\.\.\.>\(z\), ifftshift<axes\.\.\.>\(z\): an axis is outside of -rank \.\.\. rank-1
// An axis that x does not have.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fftshift<2>(x);
#else
constexpr auto z = xg::fftshift<1>(x);
#endif
