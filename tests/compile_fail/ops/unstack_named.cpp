// SPDX-License-Identifier: MIT
// expect-error: xgrad::unstack<axis>\(x\): the extent of the axis is a named dimension
// A number of parts that is known at run time.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unstack<0>(xg::input<"rows", float, batch, 4>);
#else
constexpr auto z = xg::unstack<1>(xg::input<"rows", float, batch, 4>);
#endif
