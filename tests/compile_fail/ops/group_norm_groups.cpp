// SPDX-License-Identifier: MIT
// expect-error: xgrad::group_norm<groups>\(x, scale, offset\): groups does not divide
// Three groups of four channels.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::group_norm<3>(x, s, s);
#else
constexpr auto y = xg::group_norm<4>(x, s, s);
#endif
