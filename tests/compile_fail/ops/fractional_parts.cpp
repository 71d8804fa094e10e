// SPDX-License-Identifier: MIT
// expect-error: xgrad::fractional_sequence<"name", n, parts>\(\): parts is below 1, or above n
// No parts.
#include <xgrad/ops/pooling/fractional_pool.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::fractional_sequence<"rows", 8, 0>();
#else
constexpr auto y = xg::fractional_sequence<"rows", 8, 1>();
#endif
