// SPDX-License-Identifier: MIT
// expect-error: xgrad::spatial_dropout<"name">\(x, rate\): x has fewer than three axes
// A matrix.
#include <xgrad/ops/normalization/noise.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto im = xg::input<"im", float, 3, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::spatial_dropout<"noise">(x, 0.1_c);
#else
constexpr auto y = xg::spatial_dropout<"noise">(im, 0.1_c);
#endif
