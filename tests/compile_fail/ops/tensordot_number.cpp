// SPDX-License-Identifier: MIT
// expect-error: xgrad::tensordot<n>\(a, b\): a or b has fewer than n axes
// Two axes of a vector.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_tensordot_number", float, 3, 4>;
constexpr auto b = xg::input<"b_of_tensordot_number", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tensordot(a, b);
#else
constexpr auto z = xg::tensordot<1>(a, b);
#endif
