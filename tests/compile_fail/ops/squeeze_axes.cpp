// SPDX-License-Identifier: MIT
// expect-error: xgrad::squeeze<axes...>\(x\): an axis does not exist in x or is there twice
// One axis by two numbers.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 1, 1, 1, 1, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::squeeze<0, -6>(x);
#else
constexpr auto z = xg::squeeze<0, -1>(x);
#endif
