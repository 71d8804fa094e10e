// SPDX-License-Identifier: MIT
// expect-error: xgrad::squeeze<axes...>\(x\): the extent of an axis is not 1
// An axis with several elements.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 4, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::squeeze<0, 1>(x);
#else
constexpr auto z = xg::squeeze<0, 2>(x);
#endif
