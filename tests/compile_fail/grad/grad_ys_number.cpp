// SPDX-License-Identifier: MIT
// expect-error: xgrad::grad_ys\(g\.\.\.\): a g is neither an expression, nor indexed_slices, nor none
// A bare number as gradient.
#include <xgrad/grad/gradients.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(2.0f), w);
#else
constexpr auto g = xg::gradients(xg::tanh(w), xg::grad_ys(xg::constant<float, 2>), w);
#endif
