// SPDX-License-Identifier: MIT
// expect-error: xgrad::expand_dims<axis>\(x\): x has six axes already
// A seventh axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;


#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::expand_dims<0>(xg::input<"n", float, 1, 1, 1, 1, 1, 1>);
#else
constexpr auto z = xg::expand_dims<0>(xg::input<"n", float, 1, 1, 1, 1, 1>);
#endif
