// SPDX-License-Identifier: MIT
// expect-error: xgrad::median<axes...>\(x\): a number is an argument
// The axis as an argument, as in NumPy.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::median(x, 1);
#else
constexpr auto z = xg::median<1>(x);
#endif
