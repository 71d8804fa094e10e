// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::bilinear<name, units>\(a, b\): units are less than 1
// No units.
#include <xgrad/nn/gates.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::bilinear<"bi", 0>(x, x);
#else
constexpr auto y = xg::nn::bilinear<"bi", 2>(x, x);
#endif
