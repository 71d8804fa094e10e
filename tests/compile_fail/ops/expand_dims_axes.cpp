// SPDX-License-Identifier: MIT
// expect-error: xgrad::expand_dims<axes...>\(x\): an axis is outside of the result
// An axis after the result.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::expand_dims<0, 4>(x);
#else
constexpr auto z = xg::expand_dims<0, 3>(x);
#endif
