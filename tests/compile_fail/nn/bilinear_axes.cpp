// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::bilinear<name, units>\(a, b\): a and b have different
// Another number of axes.
#include <xgrad/nn/gates.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto s = xg::input<"s", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::bilinear<"bi", 2>(x, s);
#else
constexpr auto y = xg::nn::bilinear<"bi", 2>(x, x);
#endif
