// SPDX-License-Identifier: MIT
// expect-error: xgrad: a result of boolean_mask, dynamic_partition or merge_partitions has more than six axes
// Rows of five axes, in two more.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 1, 1, 1, 1, 1>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::dynamic_partition<2, 3>(x, ids);
#else
constexpr auto z = xg::dynamic_partition<2, 3>(xg::squeeze<1>(x), ids);
#endif
