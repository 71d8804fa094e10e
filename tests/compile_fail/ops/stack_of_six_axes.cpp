// SPDX-License-Identifier: MIT
// expect-error: xgrad::stack<axis>\(a, b\.\.\.\): the operands have six axes already
// An axis too many.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stack(xg::input<"six", float, 1, 2, 1, 2, 1, 2>);
#else
constexpr auto z = xg::stack(xg::input<"five", float, 1, 2, 1, 2, 1>);
#endif
