// SPDX-License-Identifier: MIT
// expect-error: xgrad::gaussian_noise<"name">\(x, stddev\) and other noise: x is neither
// Integers.
#include <xgrad/ops/normalization/noise.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto n = xg::input<"n", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::gaussian_noise<"noise">(n, 1_c);
#else
constexpr auto y = xg::gaussian_noise<"noise">(x, 1_c);
#endif
