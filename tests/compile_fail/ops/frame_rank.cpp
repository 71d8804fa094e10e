// SPDX-License-Identifier: MIT
// expect-error: xgrad::frame<length, step>\(x\), stft<length, step>\(x\): x has no axis, or six
// A number.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::frame<1, 1>(x);
#else
constexpr auto z = xg::frame<1, 1>(xg::expand_dims<0>(x));
#endif
