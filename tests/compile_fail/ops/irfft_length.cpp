// SPDX-License-Identifier: MIT
// expect-error: xgrad::irfft<n>\(z\): n is not an integer
// A negative length.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::irfft<-8>(xg::view_as_complex(x));
#else
constexpr auto z = xg::irfft<8>(xg::view_as_complex(x));
#endif
