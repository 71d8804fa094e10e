// SPDX-License-Identifier: MIT
// expect-error: xgrad::irfft2<n>\(z\): z is not complex or has fewer than two axes
// Real numbers.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::irfft2<4>(x);
#else
constexpr auto z = xg::irfft2<4>(xg::complex(x));
#endif
