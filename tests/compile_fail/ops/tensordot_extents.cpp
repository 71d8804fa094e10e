// SPDX-License-Identifier: MIT
// expect-error: xgrad::tensordot\(a, b\), dot, inner: axes of a and b that are summed have different extents
// The inner axes differ.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a_of_tensordot_extents", float, 3, 4>;
constexpr auto b = xg::input<"b_of_tensordot_extents", float, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dot(a, b);
#else
constexpr auto z = xg::inner(a, b);
#endif
