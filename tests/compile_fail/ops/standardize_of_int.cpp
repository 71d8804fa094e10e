// SPDX-License-Identifier: MIT
// expect-error: xgrad::standardize<axes\.\.\.>\(x\), and norms of layers: x is neither float
// Integers.
#include <xgrad/ops/normalization/standardize.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto n = xg::input<"n", std::int32_t, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::standardize(n);
#else
constexpr auto y = xg::standardize(x);
#endif
