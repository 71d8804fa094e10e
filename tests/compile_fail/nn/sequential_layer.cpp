// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::sequential<name>\(layer\.\.\.\): a layer is not a function object
// An expression in place of a layer.
#include <xgrad/xgrad.hpp>

#include <xgrad/nn/sequential.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::sequential<"net">(xg::tanh(x))(x);
#else
constexpr auto y = xg::nn::sequential<"net">([](auto z) { return xg::tanh(z); })(x);
#endif
