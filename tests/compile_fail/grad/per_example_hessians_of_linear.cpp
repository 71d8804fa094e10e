// SPDX-License-Identifier: MIT
// expect-error: xgrad::per_example_hessians\(loss, x\.\.\.\): loss is linear in an x
// A loss with a constant gradient.
#include <xgrad/grad/per_example_jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto y = xg::tanh(xg::matmul(x, w));

#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::per_example_hessians(xg::sum<1>(x), x);
#else
constexpr auto h = xg::per_example_hessians(xg::sum<1>(y), x);
#endif
