// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_hessians\(loss, x\.\.\.\): an x has more than three axes
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
constexpr auto h = xg::per_example_hessians(xg::sum<1, 2, 3>(xg::tanh(many)), many);
#else
constexpr auto flat = xg::reshape<batch, 8>(many);
constexpr auto h = xg::per_example_hessians(xg::sum<1>(xg::tanh(flat)), flat);
#endif
