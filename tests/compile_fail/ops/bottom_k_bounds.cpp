// SPDX-License-Identifier: MIT
// expect-error: xgrad::bottom_k<k>\(x\): k is outside of
// More than there are.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bottom_k<5>(x);
#else
constexpr auto z = xg::bottom_k<4>(x);
#endif
