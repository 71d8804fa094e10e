// SPDX-License-Identifier: MIT
// expect-error: xgrad: an extent of the result has too many named dimensions in a sum, product or quotient
// An extent with more than two terms of named dimensions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
inline constexpr xg::dim i{"i"};
inline constexpr xg::dim j{"j"};
inline constexpr xg::dim k{"k"};
constexpr auto z = xg::concat<0>(xg::input<"a", float, i>, xg::input<"b", float, j>, xg::input<"c", float, k>);
#else
inline constexpr xg::dim i{"i"};
inline constexpr xg::dim j{"j"};
constexpr auto z = xg::concat<0>(xg::input<"a", float, i>, xg::input<"b", float, j>, xg::input<"c", float, 3>);
#endif
