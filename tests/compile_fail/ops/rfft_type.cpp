// SPDX-License-Identifier: MIT
// expect-error: xgrad::rfft\(x\): x is neither float nor double
// Integers.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::rfft(x);
#else
constexpr auto z = xg::rfft(xg::cast<float>(x));
#endif
