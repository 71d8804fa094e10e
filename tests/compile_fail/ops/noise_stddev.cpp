// SPDX-License-Identifier: MIT
// expect-error: xgrad::gaussian_noise<"name">\(x, stddev\) and other noise: stddev or rate
// A standard deviation for each feature.
#include <xgrad/ops/normalization/noise.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gaussian_noise<"noise">(x, s);
#else
constexpr auto y = xg::gaussian_noise<"noise">(x, 0.1_c);
#endif
