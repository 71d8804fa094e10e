// SPDX-License-Identifier: MIT
// expect-error: xgrad::inverse_stft_window<length, step>\(w\): length or step is below 1, or w is not
// A window of another length.
#include <xgrad/ops/complex/inverse_stft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 20>;
constexpr auto frames = xg::input<"frames", float, 2, 4, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::inverse_stft_window<4, 2>(xg::hann_window<6>());
#else
constexpr auto w = xg::inverse_stft_window<6, 2>(xg::hann_window<6>());
#endif
