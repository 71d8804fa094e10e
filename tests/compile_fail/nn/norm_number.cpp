// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression; write 0\.5_c
// An epsilon that is a number of C++.
#include <xgrad/nn/norms.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4, 4, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::nn::layer_norm<"ln">(x, 1e-5f);
#else
constexpr auto y = xg::nn::layer_norm<"ln">(x, 1e-5_c);
#endif
