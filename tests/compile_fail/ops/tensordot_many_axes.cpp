// SPDX-License-Identifier: MIT
// expect-error: xgrad::tensordot\(a, b\), dot, inner: the result has more than six axes
// A result of eight axes.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_tensordot_many_axes", float, 2, 3, 4, 5>;
constexpr auto b = xg::input<"b_of_tensordot_many_axes", float, 5, 3, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tensordot<0>(a, b);
#else
constexpr auto z = xg::tensordot<1>(a, b);
#endif
