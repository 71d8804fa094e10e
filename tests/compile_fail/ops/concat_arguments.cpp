// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(a, b\.\.\.\): the axis is not in angle brackets, or the expressions are missing or in braces
// No axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::concat(x, x);
#else
constexpr auto z = xg::concat<1>(x, x);
#endif
