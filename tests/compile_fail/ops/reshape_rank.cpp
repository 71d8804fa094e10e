// SPDX-License-Identifier: MIT
// expect-error: xgrad::reshape<...>\(x\): more than six extents
// Seven extents.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 64>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::reshape<1, 2, 2, 2, 2, 2, 2>(w);
#else
constexpr auto z = xg::reshape<2, 2, 2, 2, 2, 2>(w);
#endif
