// SPDX-License-Identifier: MIT
// expect-error: xgrad: axes are numbers, from 0 or from the end, as template arguments
// The axis as an argument, as in TensorFlow.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::moments(x, 1);
#else
constexpr auto z = xg::moments<1>(x);
#endif
