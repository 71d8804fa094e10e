// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::max_norm<axes\.\.\.>\(w, max_value\): max_value is below 0, which no norm is
// Numbers that no norm can have.
#include <xgrad/xgrad.hpp>
#include <xgrad/nn/nn.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::max_norm<0>(w, -2_c);
#else
constexpr auto z = xg::nn::max_norm<0>(w, 2_c);
#endif
