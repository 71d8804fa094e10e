// SPDX-License-Identifier: MIT
// expect-error: xgrad::ifft\(z\): z is neither complex nor float nor double
// Integers.
#include <xgrad/ops/fft.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::ifft(x);
#else
constexpr auto z = xg::ifft(xg::cast<float>(x));
#endif
