// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::dense<name, units>\(x\): units are less than 1
// No units.
#include <xgrad/nn/dense.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::dense<"d", 0>(x);
#else
constexpr auto y = xg::nn::dense<"d", 1>(x);
#endif
