// SPDX-License-Identifier: MIT
// expect-error: xgrad::broadcast_to<...>\(x\): more than six extents
// Seven extents.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::broadcast_to<1, 2, 2, 2, 2, 2, 2>(w);
#else
constexpr auto z = xg::broadcast_to<2, 2, 2, 2, 2, 2>(w);
#endif
