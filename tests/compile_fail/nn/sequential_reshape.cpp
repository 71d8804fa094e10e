// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::layer::reshape<extents...>: an example of the layer before has another number of elements
// A chain that gives each example another number of elements.
#include <xgrad/nn/sequential.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5, 12>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::sequential<"net">(xg::nn::layer::reshape<5, 4>{})(x);
#else
constexpr auto y = xg::nn::sequential<"net">(xg::nn::layer::reshape<3, 4>{})(x);
#endif
constexpr int rank = xg::value_of<decltype(y)>.dims.rank;
