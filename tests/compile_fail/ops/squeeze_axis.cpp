// SPDX-License-Identifier: MIT
// expect-error: xgrad::squeeze<axis>\(x\): axis is outside of -rank \.\.\. rank-1
// Axis 2 of a matrix.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::squeeze<2>(x);
#else
constexpr auto z = xg::squeeze<2>(xg::expand_dims<2>(x));
#endif
