// SPDX-License-Identifier: MIT
// expect-error: xgrad::gradients\(y, grad_ys\(g\.\.\.\), x\.\.\.\): a grad_y does not broadcast to its y: from the right, its extents must be equal or 1
// A gradient of another shape.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::tanh(b), xg::grad_ys(w), b);
#else
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(b), w);
#endif
