// SPDX-License-Identifier: MIT
// expect-error: xgrad::fftn<axes\.\.\.>\(z\), fft2\(z\): z is neither complex nor float nor double
// Integers.
#include <xgrad/ops/complex/fft_axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::fft2(x);
#else
constexpr auto z = xg::fft2(xg::cast<float>(x));
#endif
