// SPDX-License-Identifier: MIT
// expect-error: xgrad::batch_normalization\(x, mean, variance, offset, scale, epsilon\): x is not
// A scale for each example.
#include <xgrad/ops/normalization/batch_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::batch_normalization(x, s, s, s, r);
#else
constexpr auto y = xg::batch_normalization(x, s, s, s, s);
#endif
