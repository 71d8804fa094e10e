// SPDX-License-Identifier: MIT
// expect-error: xgrad::hessian\(y, x...\): y does not depend on an x
// A y that does not depend on x.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::hessian(xg::sum(xg::tanh(b)), b, w);
#else
constexpr auto h = xg::hessian(xg::sum(xg::tanh(b)), b);
#endif
