// SPDX-License-Identifier: MIT
// expect-error: xgrad::boolean_mask<capacity>\(x, mask\): the mask is not bool
// Integers as a mask.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", std::int32_t, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::boolean_mask<3>(x, ids);
#else
constexpr auto z = xg::boolean_mask<3>(x, xg::not_equal(ids, 0_c));
#endif
