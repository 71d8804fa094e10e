// SPDX-License-Identifier: MIT
// expect-error: xgrad: the capacity of union1d, intersect1d or setdiff1d is not
// A capacity below 0.
#include <xgrad/ops/index/sets.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 7>;
constexpr auto b = xg::input<"b", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto u = xg::union1d<-1>(a, b);
#else
constexpr auto u = xg::union1d<0>(a, b);
#endif
