// SPDX-License-Identifier: MIT
// expect-error: xgrad::flatten<first, last>\(x\): an axis is outside
// The last axis before the first.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::flatten<1, 0>(x);
#else
constexpr auto z = xg::flatten<0, 1>(x);
#endif
