// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::min_max_norm<axes\.\.\.>\(w, min_value, max_value, rate\): w is neither float nor double
// A norm of integers.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto n = xg::variable<"n", std::int32_t, 4, 3>;
constexpr auto kept = xg::nn::min_max_norm<0>(n, 1_c, 2_c, 1_c);
#else
constexpr auto n = xg::cast<float>(xg::variable<"n", std::int32_t, 4, 3>);
constexpr auto kept = xg::nn::min_max_norm<0>(n, 1_c, 2_c, 1_c);
#endif
