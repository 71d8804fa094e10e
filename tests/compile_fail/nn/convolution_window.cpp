// SPDX-License-Identifier: MIT
// expect-error: after the size comes something other than a window, such as a padding or a stride
// A padding in place of a window.
#include <xgrad/nn/convolution.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8, 8, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::conv2d<"first", 16, 3, xg::window_padding::same>(x);
#else
constexpr auto y = xg::nn::conv2d<"first", 16, 3, xg::window{.padding = xg::window_padding::same}>(x);
#endif
