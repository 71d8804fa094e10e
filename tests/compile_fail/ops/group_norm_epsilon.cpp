// SPDX-License-Identifier: MIT
// expect-error: xgrad::group_norm<groups>\(x, scale, offset, epsilon\): epsilon is not
// An epsilon for each channel.
#include <xgrad/ops/normalization/layer_norm.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::group_norm<2>(x, s, s, s);
#else
constexpr auto y = xg::group_norm<2>(x, s, s, 1e-5_c);
#endif
