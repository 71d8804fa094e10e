// SPDX-License-Identifier: MIT
// expect-error: xgrad: dilation2d\(x, filter\) or erosion2d\(x, filter\): x is not
// A filter of other channels.
#include <xgrad/ops/images/morphology.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 8, 8, 3>;
constexpr auto f = xg::input<"f", float, 3, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::dilation2d(x, f);
#else
constexpr auto w = xg::dilation2d(x, xg::slice<2, 0, 3>(f));
#endif
