// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::dense<name, units>\(x\): x has fewer than two axes, or its last extent is not an integer
// A layer on a vector.
#include <xgrad/nn/nn.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::dense<"d", 8>(b);
#else
constexpr auto z = xg::nn::dense<"d", 8>(xg::expand_dims<0>(b));
#endif
