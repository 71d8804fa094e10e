// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, grad_ys\(g\.\.\.\), x\.\.\.\): there are more or fewer grad_ys than ys
// Two gradients for one y.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(w, w), w);
#else
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(w), w);
#endif
