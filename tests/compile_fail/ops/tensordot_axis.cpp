// SPDX-License-Identifier: MIT
// expect-error: xgrad::tensordot<axes<...>, axes<...>>\(a, b\): the lists differ in length
// An axis twice.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_tensordot_axis", float, 4, 4>;
constexpr auto b = xg::input<"b_of_tensordot_axis", float, 4, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::tensordot<xg::axes<1, 1>, xg::axes<0, 1>>(a, b);
#else
constexpr auto z = xg::tensordot<xg::axes<1, 0>, xg::axes<0, 1>>(a, b);
#endif
