// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::no_updates\(loss\): loss is not an expression with a layer that has state
// State that stays, of an input.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::no_updates(x);
#else
constexpr auto y = xg::nn::no_updates(xg::nn::batch_norm<"bn">(x));
#endif
