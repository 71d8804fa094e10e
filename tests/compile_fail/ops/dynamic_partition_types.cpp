// SPDX-License-Identifier: MIT
// expect-error: xgrad: the parts of dynamic_partition<parts, capacity>\(x, parts\) or merge_partitions\(values, parts\) are not integers
// float as numbers of parts.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_partition<2, 3>(x, ids);
#else
constexpr auto z = xg::dynamic_partition<2, 3>(x, xg::cast<std::int32_t>(ids));
#endif
