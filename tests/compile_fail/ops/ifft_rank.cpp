// SPDX-License-Identifier: MIT
// expect-error: xgrad::ifft\(z\): z has no axis
// A number.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::ifft(x);
#else
constexpr auto z = xg::ifft(xg::expand_dims<0>(x));
#endif
