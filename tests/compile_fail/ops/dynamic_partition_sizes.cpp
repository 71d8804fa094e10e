// SPDX-License-Identifier: MIT
// expect-error: xgrad::dynamic_partition<parts, capacity>\(x, parts\): parts is not an integer of at least 1
// A negative capacity.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_partition<2, -3>(x, ids);
#else
constexpr auto z = xg::dynamic_partition<2, 3>(x, ids);
#endif
