// SPDX-License-Identifier: MIT
// expect-error: xgrad::rms_norm\(x, scale, epsilon\): x is not
// A scale of double for an x of float.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;
constexpr auto d = xg::input<"d", double, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::rms_norm(x, d);
#else
constexpr auto y = xg::rms_norm(x, s);
#endif
