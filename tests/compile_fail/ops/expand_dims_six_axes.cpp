// SPDX-License-Identifier: MIT
// expect-error: xgrad::expand_dims<axes...>\(x\): the result has more than six axes
// Two axes more than a tensor can have.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 1, 1, 1, 1, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::expand_dims<0, 1>(x);
#else
constexpr auto z = xg::expand_dims<0>(x);
#endif
