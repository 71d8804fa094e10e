// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression; write 0\.5_c
// A momentum that is a number of C++.
#include <xgrad/nn/batch_norm.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::batch_norm<"bn">(x, 0.9f);
#else
constexpr auto y = xg::nn::batch_norm<"bn">(x, 0.9_c);
#endif
