// SPDX-License-Identifier: MIT
// expect-error: xgrad::spectral_normalization\(w, u\): w is not
// A vector of another length.
#include <xgrad/ops/normalization/lengths.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::spectral_normalization(x, r);
#else
constexpr auto y = xg::spectral_normalization(x, s);
#endif
