// SPDX-License-Identifier: MIT
// expect-error: xgrad::integers_like<"name", low, high>\(x\): low is not below high
// The limits in the wrong order.
#include <xgrad/ops/distributions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::integers_like<"i", 4, 0>(x);
#else
constexpr auto z = xg::integers_like<"i", 0, 4>(x);
#endif
