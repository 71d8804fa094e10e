// SPDX-License-Identifier: MIT
// expect-error: xgrad::space_to_batch<block, top, bottom, left, right>\(x\): block is below 1 or a padding is negative
// Rows are removed by slice.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4, 6, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::space_to_batch<2, -1, 1>(x);
#else
constexpr auto z = xg::space_to_batch<2, 1, 1>(x);
#endif
