// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::min_max_norm<axes\.\.\.>\(w, min_value, max_value, rate\): rate is outside of \[0, 1\]
// Numbers that no norm can have.
#include <xgrad/xgrad.hpp>
#include <xgrad/nn/nn.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::min_max_norm<0>(w, 1_c, 2_c, 2_c);
#else
constexpr auto z = xg::nn::min_max_norm<0>(w, 1_c, 2_c, 1_c);
#endif
