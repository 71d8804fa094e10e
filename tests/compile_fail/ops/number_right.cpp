// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// x + 1
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::relu(x + 1) / 2_c;
#else
constexpr auto z = xg::relu(x + 1_c) / 2_c;
#endif
