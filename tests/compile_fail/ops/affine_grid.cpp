// SPDX-License-Identifier: MIT
// expect-error: xgrad::affine_grid<height, width>\(theta\): theta is not
// Square matrices.
#include <xgrad/ops/images/sample.hpp>

namespace xg = xgrad;

constexpr auto t = xg::input<"t", float, 2, 3, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto w = xg::affine_grid<4, 4>(t);
#else
constexpr auto w = xg::affine_grid<4, 4>(xg::slice<1, 0, 2>(t));
#endif
