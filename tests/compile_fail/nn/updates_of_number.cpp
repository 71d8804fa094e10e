// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::updates\(loss\): loss is not an expression
// A number in place of the loss.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::updates(1.0f);
#else
constexpr auto y = xg::nn::updates(xg::nn::batch_norm<"bn">(x));
#endif
