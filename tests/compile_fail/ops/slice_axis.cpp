// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice<axis, begin, end>\(x\): axis is outside of -rank \.\.\. rank-1
// Axis 2 of a matrix.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice<2, 0, 1>(x);
#else
constexpr auto z = xg::slice<-1, 0, 1>(x);
#endif
