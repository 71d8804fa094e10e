// SPDX-License-Identifier: MIT
// expect-error: xgrad::spectral_normalization<iterations>\(w, u\): iterations is below 1
// No iteration.
#include <xgrad/ops/normalization/lengths.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::spectral_normalization<0>(x, s);
#else
constexpr auto y = xg::spectral_normalization<1>(x, s);
#endif
