// SPDX-License-Identifier: MIT
// expect-error: xgrad::merge_partitions\(values, parts\): values have fewer than two axes
// Values without their parts.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::merge_partitions(ids, ids);
#else
constexpr auto z = xg::merge_partitions(xg::expand_dims<0>(ids), ids);
#endif
