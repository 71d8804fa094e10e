// SPDX-License-Identifier: MIT
// expect-error: xgrad::pad<before, after, axis, how>\(x\): the axis has too few elements for this padding
// More than the axis has.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pad<3, 0, 0, xg::padding::reflect>(x);
#else
constexpr auto z = xg::pad<2, 0, 0, xg::padding::reflect>(x);
#endif
