// SPDX-License-Identifier: MIT
// expect-error: xgrad::nth_element<rank>\(x\): x is bool
// An element of truth values.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", bool, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nth_element<0>(x);
#else
constexpr auto z = xg::nth_element<0>(xg::cast<float>(x));
#endif
