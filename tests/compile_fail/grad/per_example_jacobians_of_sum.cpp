// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_jacobians\(y, x\.\.\.\): y has no axis, but its first axis is the examples
// A mean over the batch.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::per_example_jacobians(xg::mean(y), x);
#else
constexpr auto j = xg::per_example_jacobians(y, x);
#endif
