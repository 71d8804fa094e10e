// SPDX-License-Identifier: MIT
// expect-error: xgrad::roll<shift, axis>\(x\): the extent of the axis is a named dimension
// A length that is known at run time.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::roll<1>(xg::input<"rows", float, batch, 4>);
#else
constexpr auto z = xg::roll<1, 1>(xg::input<"rows", float, batch, 4>);
#endif
