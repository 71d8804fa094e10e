// SPDX-License-Identifier: MIT
// expect-error: xgrad::istft<length, step>\(z, weights\): weights are not floating
// A window of another length.
#include <xgrad/ops/complex/inverse_stft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 20>;
constexpr auto frames = xg::input<"frames", float, 2, 4, 6>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::istft<4, 2>(xg::stft<4, 2>(x), xg::hann_window<6>());
#else
constexpr auto y = xg::istft<4, 2>(xg::stft<4, 2>(x), xg::hann_window<4>());
#endif
