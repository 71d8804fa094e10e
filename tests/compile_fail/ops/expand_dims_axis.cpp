// SPDX-License-Identifier: MIT
// expect-error: xgrad::expand_dims<axis>\(x\): axis is outside of -rank-1 \.\.\. rank
// Axis 3 of a matrix.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::expand_dims<3>(x);
#else
constexpr auto z = xg::expand_dims<2>(x);
#endif
