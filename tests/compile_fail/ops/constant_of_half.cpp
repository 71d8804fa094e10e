// SPDX-License-Identifier: MIT
// expect-error: xgrad::constant<T, value>: T is bfloat16 or float16, in which nothing is computed
// A constant of bfloat16.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto two = xg::constant<xg::bfloat16, 2>;
#else
constexpr auto two = xg::cast<xg::bfloat16>(2_c);
#endif
constexpr auto z = two * xg::input<"x", float, 3>;
