// SPDX-License-Identifier: MIT
// expect-error: xgrad::layer_norm\(x, scale, offset, epsilon\): x is not
// A scale of another length.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto r = xg::input<"r", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::layer_norm(x, r, r);
#else
constexpr auto y = xg::layer_norm(x, s, s);
#endif
