// SPDX-License-Identifier: MIT
// expect-error: xgrad::group_norm<groups>\(x, scale, offset, epsilon\): x is not
// A scale for each example.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::group_norm<2>(x, r, s);
#else
constexpr auto y = xg::group_norm<2>(x, s, s);
#endif
