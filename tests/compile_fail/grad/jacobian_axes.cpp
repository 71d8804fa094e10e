// SPDX-License-Identifier: MIT
// expect-error: xgrad::jacobian\(y, x\): y and x have more than six axes together
// A Jacobian of eight axes.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 2, 2, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::jacobian(xg::tanh(x), x);
#else
constexpr auto j = xg::jacobian(xg::reshape<16>(xg::tanh(x)), x);
#endif
