// SPDX-License-Identifier: MIT
// expect-error: xgrad: a function of blocks such as space_to_depth<block>\(x\) gets an x that does not have four axes
// One image without the axis of images.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::space_to_depth<2>(x);
#else
constexpr auto z = xg::space_to_depth<2>(xg::expand_dims<0>(x));
#endif
