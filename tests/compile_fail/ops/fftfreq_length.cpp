// SPDX-License-Identifier: MIT
// expect-error: xgrad::fftfreq<n>\(\), rfftfreq<n>\(\): n is not an integer of at least 0, or a named dimension
// A length below 0.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fftfreq<-4>();
#else
constexpr auto z = xg::fftfreq<4>();
#endif
