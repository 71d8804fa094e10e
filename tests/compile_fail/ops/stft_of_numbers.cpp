// SPDX-License-Identifier: MIT
// expect-error: xgrad::stft<length, step>\(x\): length and step stand between
// Length and step between parentheses.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 64>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::stft(x, 16, 8);
#else
constexpr auto y = xg::stft<16, 8>(x);
#endif
