// SPDX-License-Identifier: MIT
// expect-error: xgrad::fft\(z\): z has no axis
// A number.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fft(x);
#else
constexpr auto z = xg::fft(xg::expand_dims<0>(x));
#endif
