// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::residual\(x, f\): the arguments are not an expression and a function
// No function.
#include <xgrad/nn/residual.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::residual(x);
#else
constexpr auto y = xg::nn::residual(x, [](auto h) { return xg::nn::dense<"d", 4>(h); });
#endif
