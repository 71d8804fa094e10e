// SPDX-License-Identifier: MIT
// expect-error: xgrad::group_norm<groups>\(x, scale, offset\): x has fewer than two axes
// A vector.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::group_norm<2>(s, s, s);
#else
constexpr auto y = xg::group_norm<2>(x, s, s);
#endif
