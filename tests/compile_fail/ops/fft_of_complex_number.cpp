// SPDX-License-Identifier: MIT
// expect-error: xgrad::fft\(z\): z has no axis
// A complex number.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fft(xg::complex(x));
#else
constexpr auto z = xg::fft(xg::expand_dims<0>(xg::complex(x)));
#endif
