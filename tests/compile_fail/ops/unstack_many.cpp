// SPDX-License-Identifier: MIT
// expect-error: xgrad::unstack<axis>\(x\): the axis does not have 1 to 32 parts
// Too many parts.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unstack<0>(xg::input<"rows", float, 40, 4>);
#else
constexpr auto z = xg::unstack<1>(xg::input<"rows", float, 40, 4>);
#endif
