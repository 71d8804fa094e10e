// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::spectral_norm<name>\(w\): w is not
// A vector.
#include <xgrad/nn/spectral_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::spectral_norm<"sn">(s);
#else
constexpr auto y = xg::nn::spectral_norm<"sn">(x);
#endif
