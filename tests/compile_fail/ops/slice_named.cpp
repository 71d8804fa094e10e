// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice<axis, begin, end>\(x\): begin or end is outside of the axis, or they are exchanged
// More than a named dimension has, whatever its size.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice<0, 0, batch + 1>(x);
#else
constexpr auto z = xg::slice<0, 0, batch - 1>(x);
#endif
