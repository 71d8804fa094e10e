// SPDX-License-Identifier: MIT
// expect-error: xgrad::gaussian_dropout<"name">\(x, rate\), alpha_dropout, spatial_dropout: rate is
// A rate of 1.
#include <xgrad/ops/normalization/noise.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::alpha_dropout<"noise">(x, 1_c);
#else
constexpr auto y = xg::alpha_dropout<"noise">(x, 0.1_c);
#endif
