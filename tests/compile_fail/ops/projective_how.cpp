// SPDX-License-Identifier: MIT
// expect-error: xgrad::projective_transform<height, width, how>\(images, maps\): a size is not positive, or how is neither
// cubic interpolation.
#include <xgrad/ops/images/projective.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 5, 6, 3>;
constexpr auto t = xg::input<"t", float, 2, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::projective_transform<4, 4, xg::interpolation::bicubic>(x, t);
#else
constexpr auto z = xg::projective_transform<4, 4, xg::interpolation::nearest>(x, t);
#endif
