// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::residual\(x, f\): f is not a function object without state
// A variable as the function.
#include <xgrad/nn/nn.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto block = xg::nn::residual(x, w);
#else
constexpr auto block = xg::nn::residual(x, [](auto v) { return xg::matmul(v, w); });
#endif
