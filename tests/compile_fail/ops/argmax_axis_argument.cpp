// SPDX-License-Identifier: MIT
// expect-error: xgrad::argmax<axis>\(x\), argmin<axis>\(x\): the axis is an argument
// The axis as an argument, as in NumPy.
#include <xgrad/ops/arg_reduce.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::argmax(x, 1);
#else
constexpr auto z = xg::argmax<1>(x);
#endif
