// SPDX-License-Identifier: MIT
// expect-error: xgrad::reshape<...>\(x\): an extent is negative, and -1 stands for no other number
// An extent that is to be found from the others.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 6>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::reshape<-1, 3>(x);
#else
constexpr auto y = xg::reshape<8, 3>(x);
#endif
