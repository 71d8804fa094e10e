// SPDX-License-Identifier: MIT
// expect-error: xgrad::vdot\(a, b\): a and b have different numbers of elements
// Vectors of different lengths.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_vdot_elements", float, 3>;
constexpr auto b = xg::input<"b_of_vdot_elements", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::vdot(a, b);
#else
constexpr auto z = xg::outer(a, b);
#endif
