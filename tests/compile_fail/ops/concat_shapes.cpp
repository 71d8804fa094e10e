// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(\.\.\.\): operands differ in an extent of another axis
// [batch, 4] on top of [4, 3].
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::concat<0>(x, w);
#else
constexpr auto z = xg::concat<0>(x, xg::input<"t", float, batch, 4>);
#endif
