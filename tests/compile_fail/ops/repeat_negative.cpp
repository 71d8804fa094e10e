// SPDX-License-Identifier: MIT
// expect-error: xgrad::repeat<times, axis>\(x\): times is negative
// Fewer than no copies.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::repeat<-1>(x);
#else
constexpr auto z = xg::repeat<1>(x);
#endif
