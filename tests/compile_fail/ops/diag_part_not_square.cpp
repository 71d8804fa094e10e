// SPDX-License-Identifier: MIT
// expect-error: xgrad::diag_part\(x\): the last two extents of x differ
// A matrix that is not square.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::diag_part(x);
#else
constexpr auto z = xg::diag_part(xg::slice<1, 0, 3>(xg::slice<0, 0, 3>(x)));
#endif
