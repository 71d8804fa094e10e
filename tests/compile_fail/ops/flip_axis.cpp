// SPDX-License-Identifier: MIT
// expect-error: xgrad::flip<axes\.\.\.>\(x\): an axis does not exist in x or is there twice
// Axis 1 and the last one of a matrix are one axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::flip<1, -1>(x);
#else
constexpr auto z = xg::flip<0, -1>(x);
#endif
