// SPDX-License-Identifier: MIT
// expect-error: xgrad::batch_to_space<block, top, bottom, left, right>\(x\): a margin is negative, or more is removed
// More rows than there are.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 1, 2, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::batch_to_space<2, 2, 1>(x);
#else
constexpr auto z = xg::batch_to_space<2, 1, 1>(x);
#endif
