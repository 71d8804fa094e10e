// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::batch_norm<name>\(x, momentum\): momentum
// A momentum above 1.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::batch_norm<"bn">(x, 99_c);
#else
constexpr auto y = xg::nn::batch_norm<"bn">(x, 0.99_c);
#endif
