// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of union1d, intersect1d or setdiff1d differ in element type
// Floats and integers.
#include <xgrad/ops/index/sets.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 7>;
constexpr auto b = xg::input<"b", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto u = xg::setdiff1d<4>(a, xg::input<"i", std::int32_t, 5>);
#else
constexpr auto u = xg::setdiff1d<4>(a, b);
#endif
