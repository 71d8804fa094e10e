// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_jacobians\(y, x\.\.\.\): y and one example of x have more than six axes
// A result of seven axes.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));
constexpr auto many = xg::input<"many", float, batch, 2, 2, 2>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto j = xg::per_example_jacobians(xg::tanh(many), many);
#else
constexpr auto j = xg::per_example_jacobians(xg::reshape<batch, 8>(xg::tanh(many)), many);
#endif
