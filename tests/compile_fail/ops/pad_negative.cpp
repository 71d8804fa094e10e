// SPDX-License-Identifier: MIT
// expect-error: xgrad::pad<before, after, axis>\(x\): before or after is negative
// Padding that removes elements.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pad<-1, 0>(x);
#else
constexpr auto z = xg::slice<0, 1, 3>(x);
#endif
