// SPDX-License-Identifier: MIT
// expect-error: xgrad::polyfit<degree>\(x, y\): degree is outside of 0 \.\.\. 31
// A negative degree.
#include <xgrad/ops/signal/slopes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 9>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::polyfit<-1>(x, x);
#else
constexpr auto z = xg::polyfit<1>(x, x);
#endif
