// SPDX-License-Identifier: MIT
// expect-error: xgrad::boolean_mask<capacity>\(x, mask\): the mask does not have the shape
// A mask of the columns.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto mask = xg::input<"mask", bool, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::boolean_mask<3>(x, mask);
#else
constexpr auto z = xg::boolean_mask<3>(xg::transpose(x), mask);
#endif
