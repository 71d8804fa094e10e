// SPDX-License-Identifier: MIT
// expect-error: xgrad::frame<length, step>\(x\), stft<length, step>\(x\): length or step is below 1, or the last extent of x is named or shorter
// Frames that are longer than the signal.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 7>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stft<8, 2>(x);
#else
constexpr auto z = xg::stft<4, 2>(x);
#endif
