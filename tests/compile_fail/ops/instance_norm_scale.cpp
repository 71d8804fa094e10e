// SPDX-License-Identifier: MIT
// expect-error: xgrad::instance_norm\(x, scale, offset, epsilon\): x is not
// A scale for each example.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;
constexpr auto im = xg::input<"im", float, 3, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::instance_norm(im, r, s);
#else
constexpr auto y = xg::instance_norm(im, s, s);
#endif
