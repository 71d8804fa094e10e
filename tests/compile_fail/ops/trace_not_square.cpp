// SPDX-License-Identifier: MIT
// expect-error: xgrad::trace\(x\): the last two extents of x differ
// A matrix that is not square.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::trace(x);
#else
constexpr auto z = xg::trace(xg::slice<1, 0, 3>(xg::slice<0, 0, 3>(x)));
#endif
