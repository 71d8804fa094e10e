// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no % of expressions
// a remainder.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = x % x;
#else
constexpr auto y = x / x;
#endif
