// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::max_norm<axes\.\.\.>\(w, max_value\): w is neither float nor double
// A norm of integers.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto n = xg::variable<"n", std::int32_t, 4, 3>;
constexpr auto kept = xg::nn::max_norm<0>(n, 2_c);
#else
constexpr auto n = xg::cast<float>(xg::variable<"n", std::int32_t, 4, 3>);
constexpr auto kept = xg::nn::max_norm<0>(n, 2_c);
#endif
