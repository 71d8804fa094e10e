// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::updates\(loss\): no layer of the loss has state
// A loss without moving averages.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::updates(x);
#else
constexpr auto y = xg::nn::updates(xg::nn::batch_norm<"bn">(x));
#endif
