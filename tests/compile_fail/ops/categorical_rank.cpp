// SPDX-License-Identifier: MIT
// expect-error: xgrad::categorical<"name">\(logits\): logits have no axis
// A number.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::categorical<"c">(x);
#else
constexpr auto z = xg::categorical<"c">(xg::expand_dims<0>(x));
#endif
