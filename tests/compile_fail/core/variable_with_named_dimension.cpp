// SPDX-License-Identifier: MIT
// expect-error: xgrad::variable: a variable has integer extents; named dimensions are for inputs
// A variable of a dynamic extent.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto v = xg::square(xg::variable<"v", float, batch, 4>);
#else
constexpr auto v = xg::square(xg::variable<"v", float, 64, 4>);
#endif
