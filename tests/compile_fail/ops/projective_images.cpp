// SPDX-License-Identifier: MIT
// expect-error: xgrad::projective_transform<height, width>\(images, maps\): images are not float or double
// images of three axes.
#include <xgrad/ops/images/projective.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 5, 6, 3>;
constexpr auto t = xg::input<"t", float, 2, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::projective_transform<4, 4>(xg::sum<3>(x), t);
#else
constexpr auto z = xg::projective_transform<4, 4>(x, t);
#endif
