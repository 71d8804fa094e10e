// SPDX-License-Identifier: MIT
// expect-error: xgrad::fused_batch_norm\(x, scale, offset, epsilon\): x is not float
// A scale for each example.
#include <xgrad/ops/normalization/batch_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fused_batch_norm(x, r, s);
#else
constexpr auto y = xg::fused_batch_norm(x, s, s);
#endif
