// SPDX-License-Identifier: MIT
// expect-error: xgrad::outer\(a, b\): an operand has more than three named dimensions
// Four named dimensions in one axis.
#include <xgrad/ops/products.hpp>

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
inline constexpr xg::dim columns{"columns"};
constexpr auto a = xg::input<"a_of_outer_joined", float, rows, columns, rows, columns>;
constexpr auto b = xg::input<"b_of_outer_joined", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::outer(a, b);
#else
constexpr auto z = xg::tensordot<0>(a, b);
#endif
