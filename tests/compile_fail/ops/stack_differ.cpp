// SPDX-License-Identifier: MIT
// expect-error: xgrad::stack<axis>\(a, b\.\.\.\): the operands differ in shape or element type
// Two shapes.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto v = xg::input<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stack(x, v);
#else
constexpr auto z = xg::stack(v, v);
#endif
