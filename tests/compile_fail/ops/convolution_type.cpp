// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d, conv2d, conv3d, depthwise_conv2d \(x, w\) and the like: x is neither float nor double
// Integers as x.
#include <xgrad/ops/convolution/convolution.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
constexpr auto n = xg::input<"n", std::int32_t, 1, 5, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d(n, w);
#else
constexpr auto z = xg::conv2d(xg::cast<float>(n), w);
#endif
