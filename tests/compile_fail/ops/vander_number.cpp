// SPDX-License-Identifier: MIT
// expect-error: xgrad::vander<n>\(x\): n is outside of 1 \.\.\. 32, or x has six axes
// No powers.
#include <xgrad/ops/over_axes/curves.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::vander<0>(x);
#else
constexpr auto z = xg::vander<3>(x);
#endif
