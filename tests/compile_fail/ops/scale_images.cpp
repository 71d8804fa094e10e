// SPDX-License-Identifier: MIT
// expect-error: xgrad::scale_and_translate<height, width>\(x, scale, translation\): x is not \[batch, height, width, channels\] in float or double
// One image.
#include <xgrad/ops/images/scale_and_translate.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 8, 8, 3>;
constexpr auto s = xg::input<"s", float, 2>;
constexpr auto t = xg::input<"t", float, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::scale_and_translate<4, 4>(x, s, t);
#else
constexpr auto y = xg::scale_and_translate<4, 4>(xg::expand_dims<0>(x), s, t);
#endif
