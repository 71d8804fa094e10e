// SPDX-License-Identifier: MIT
// expect-error: xgrad: the block of space_to_depth<block>\(x\), pixel_shuffle<block>\(x\) and the like
// A square that does not divide the channels.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 2, 4, 6, 8>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::pixel_shuffle<4>(x);
#else
constexpr auto z = xg::pixel_shuffle<2>(x);
#endif
