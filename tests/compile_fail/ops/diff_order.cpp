// SPDX-License-Identifier: MIT
// expect-error: xgrad::diff<axis, order>\(x\): order is negative
// A sum is no difference.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::diff<0, -1>(x);
#else
constexpr auto z = xg::diff<0, 1>(x);
#endif
