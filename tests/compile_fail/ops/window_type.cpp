// SPDX-License-Identifier: MIT
// expect-error: xgrad::hann_window<n, T>\(\), hamming_window<n, T>\(\): n is no integer of at least 0 or named dimension, or T neither float nor double
// A window of integers.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::hann_window<4, std::int32_t>();
#else
constexpr auto z = xg::hann_window<4, double>();
#endif
