// SPDX-License-Identifier: MIT
// expect-error: xgrad::irfft<n>\(z\): z is not complex
// Pairs that are not given as complex numbers.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::irfft<8>(x);
#else
constexpr auto z = xg::irfft<8>(xg::view_as_complex(x));
#endif
