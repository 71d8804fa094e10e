// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::min_max_norm<axes\.\.\.>\(w, min_value, max_value, rate\): one of the three bounds is not an expression
// A bare number as a bound.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 4, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto kept = xg::nn::min_max_norm<0>(w, 1_c, 2.0f, 1_c);
#else
constexpr auto kept = xg::nn::min_max_norm<0>(w, 1_c, 2_c, 1_c);
#endif
