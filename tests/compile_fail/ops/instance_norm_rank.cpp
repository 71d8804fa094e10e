// SPDX-License-Identifier: MIT
// expect-error: xgrad::instance_norm\(x, scale, offset\): x has fewer than three
// Nothing between examples and channels.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto im = xg::input<"im", float, 3, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::instance_norm(x, s, s);
#else
constexpr auto y = xg::instance_norm(im, s, s);
#endif
