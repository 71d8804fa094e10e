// SPDX-License-Identifier: MIT
// expect-error: xgrad::stack<axis>\(a, b\.\.\.\): axis is outside of the axes of the result
// An axis that the result does not have.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stack<3>(x, x);
#else
constexpr auto z = xg::stack<2>(x, x);
#endif
