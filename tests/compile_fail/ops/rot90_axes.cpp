// SPDX-License-Identifier: MIT
// expect-error: xgrad::rot90<turns, a, b>\(x\): an axis does not exist in x or is there twice
// From an axis to itself.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::rot90<1, 0, -2>(x);
#else
constexpr auto z = xg::rot90<1, 0, -1>(x);
#endif
