// SPDX-License-Identifier: MIT
// expect-error: xgrad::conv1d_transpose, conv2d_transpose, conv3d_transpose<window, output_padding>\(x, w\): a convolution of such a result would not have the shape of x
// An output padding as large as the stride.
#include <xgrad/ops/convolution/convolution_transpose.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 5, 5, 2>;
constexpr auto w = xg::input<"w", float, 3, 3, 2, 4>;
constexpr auto v = xg::input<"v", float, 3, 3, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::conv2d_transpose<xg::window{.strides = 2}, 2>(x, v);
#else
constexpr auto z = xg::conv2d_transpose<xg::window{.strides = 2}, 1>(x, v);
#endif
