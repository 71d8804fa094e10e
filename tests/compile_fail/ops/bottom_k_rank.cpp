// SPDX-License-Identifier: MIT
// expect-error: xgrad::bottom_k<k>\(x\): x is one number
// The smallest of one number.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bottom_k<1>(xg::sum(x));
#else
constexpr auto z = xg::bottom_k<1>(x);
#endif
