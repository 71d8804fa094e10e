// SPDX-License-Identifier: MIT
// expect-error: xgrad::cross\(a, b\): the axes before the last one do not broadcast
// Different numbers of vectors.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_cross_axes", float, 5, 3>;
constexpr auto b = xg::input<"b_of_cross_axes", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cross(a, b);
#else
constexpr auto z = xg::cross(a, a);
#endif
