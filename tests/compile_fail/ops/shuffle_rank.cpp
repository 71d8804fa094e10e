// SPDX-License-Identifier: MIT
// expect-error: xgrad::shuffle<"name">\(x\): x has no axis
// A number.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::shuffle<"s">(x);
#else
constexpr auto z = xg::shuffle<"s">(xg::expand_dims<0>(x));
#endif
