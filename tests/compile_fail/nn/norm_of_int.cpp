// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn: a normalization layer gets an x that is not
// Integers.
#include <xgrad/nn/norms.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto n = xg::input<"n", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::layer_norm<"ln">(n);
#else
constexpr auto y = xg::nn::layer_norm<"ln">(x);
#endif
