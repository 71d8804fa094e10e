// SPDX-License-Identifier: MIT
// expect-error: xgrad::nth_element<rank>\(x\): rank is outside of
// An element after the last one.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nth_element<4>(x);
#else
constexpr auto z = xg::nth_element<3>(x);
#endif
