// SPDX-License-Identifier: MIT
// expect-error: xgrad::transpose<p\.\.\.>\(x\): the number of axes is not the rank of x
// A permutation of three axes for a matrix.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::transpose<0, 2, 1>(x);
#else
constexpr auto z = xg::transpose<1, 0>(x);
#endif
