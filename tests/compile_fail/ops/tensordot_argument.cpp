// SPDX-License-Identifier: MIT
// expect-error: xgrad::tensordot\(a, b\): the number of axes is an argument
// The number of axes as in NumPy.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_tensordot_argument", float, 3, 4>;
constexpr auto b = xg::input<"b_of_tensordot_argument", float, 4, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tensordot(a, b, 1);
#else
constexpr auto z = xg::tensordot<1>(a, b);
#endif
