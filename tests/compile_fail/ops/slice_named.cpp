// SPDX-License-Identifier: MIT
// expect-error: xgrad::slice<axis, begin, end>\(x\): 0 <= begin
// Part of a named dimension.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::slice<0, 0, 2>(x);
#else
constexpr auto z = xg::slice<1, 0, 2>(x);
#endif
