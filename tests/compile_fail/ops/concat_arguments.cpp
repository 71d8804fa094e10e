// SPDX-License-Identifier: MIT
// expect-error: xgrad: the axis is a template argument, and the expressions are given one by one: concat<1>\(a, b\)
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
