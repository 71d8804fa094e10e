// SPDX-License-Identifier: MIT
// expect-error: xgrad: an axis is not a number in angle brackets, or keep_dims is not a tag
// The axis as an argument, as in NumPy.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::square(xg::flip(x, 1));
#else
constexpr auto z = xg::square(xg::flip<1>(x));
#endif
