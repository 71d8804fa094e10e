// SPDX-License-Identifier: MIT
// expect-error: xgrad::broadcast_to<...>\(x\): x does not broadcast
// [3] to [2, 4].
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::broadcast_to<2, 4>(b);
#else
constexpr auto z = xg::broadcast_to<2, 3>(b);
#endif
