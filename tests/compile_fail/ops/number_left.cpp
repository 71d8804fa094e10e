// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// 2.0f * x
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = 2.0f * x;
#else
constexpr auto z = 2_c * x;
#endif
