// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::position_embedding<name, rows>\(x\): the sequences of x are longer
// A table of fewer rows than positions.
#include <xgrad/nn/multi_head_attention.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 5, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = x + xg::nn::position_embedding<"p", 4>(x);
#else
constexpr auto y = x + xg::nn::position_embedding<"p", 5>(x);
#endif
