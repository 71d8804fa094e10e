// SPDX-License-Identifier: MIT
// expect-error: xgrad::cross\(a, b\): the last extent of a or b is not 3
// Vectors of two elements.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_cross_row", float, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cross(a, a);
#else
constexpr auto z = xg::vdot(a, a);
#endif
