// SPDX-License-Identifier: MIT
// expect-error: xgrad::alibi_bias<heads, length, keys>\(\): heads is below 1
// No head.
#include <xgrad/ops/attention/positions.hpp>

namespace xg = xgrad;

constexpr auto two = xg::causal_alibi_bias<2, 4>();

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::alibi_bias<0, 4, 4>();
#else
constexpr auto y = two;
#endif
