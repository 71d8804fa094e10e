// SPDX-License-Identifier: MIT
// expect-error: xgrad::hessian\(y, x...\): an x has more than three axes
// A Hessian of eight axes.
#include <xgrad/grad/jacobian.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 2, 2, 2>;
constexpr auto flat = xg::reshape<16>(x);

#ifdef XGRAD_EXPECT_ERROR
constexpr auto h = xg::hessian(xg::sum(xg::tanh(x)), x);
#else
constexpr auto h = xg::hessian(xg::sum(xg::tanh(flat)), flat);
#endif
