// SPDX-License-Identifier: MIT
// expect-error: xgrad::eval\(outputs\(a, b\)\): eval takes one expression; write outputs\(eval\(a\), eval\(b\)\)
// Several outputs in place of one expression.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::eval(xg::outputs(x, xg::sum(x)));
#else
constexpr auto y = xg::outputs(xg::eval(x), xg::eval(xg::sum(x)));
#endif
