// SPDX-License-Identifier: MIT
// expect-error: xgrad: a bare number is used in an expression
// A number on the right of a comparison.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::select(x > 0.0f, x, 0_c);
#else
constexpr auto z = xg::select(x > 0_c, x, 0_c);
#endif
