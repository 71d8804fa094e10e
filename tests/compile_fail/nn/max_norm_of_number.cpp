// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::max_norm<axes\.\.\.>\(w, max_value\): max_value is missing or not an expression
// A bare number as a bound.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto kept = xg::nn::max_norm<0>(w, 2.0f);
#else
constexpr auto kept = xg::nn::max_norm<0>(w, 2_c);
#endif
