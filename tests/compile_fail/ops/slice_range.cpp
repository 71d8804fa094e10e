// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice<axis, begin, end>\(x\): begin or end is outside of the axis, or they are exchanged
// Elements 2 to 5 of 4.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice<1, 2, 6>(x);
#else
constexpr auto z = xg::slice<1, 2, 4>(x);
#endif
