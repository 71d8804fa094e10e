// SPDX-License-Identifier: MIT
// expect-error: xgrad::stack<axis>\(a, b\.\.\.\): more than 32 operands are given
// An operand too many.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto v = xg::input<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stack(v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
#else
constexpr auto z = xg::stack(v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v);
#endif
