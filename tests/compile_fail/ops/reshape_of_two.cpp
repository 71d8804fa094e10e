// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of one expression, such as reshape<4, 2>\(x\) or cast<float>\(x\), gets several
// Two expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::reshape<2, 2, batch>(x, w);
#else
constexpr auto z = xg::reshape<2, 2, batch>(x);
#endif
