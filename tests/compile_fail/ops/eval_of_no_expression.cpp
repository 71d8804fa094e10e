// SPDX-License-Identifier: MIT
// expect-error: xgrad::eval\(y\): y is not an expression
// a number in place of the logits.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::eval(2.0f);
#else
constexpr auto y = xg::eval(x);
#endif
