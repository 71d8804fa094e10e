// SPDX-License-Identifier: MIT
// expect-error: xgrad::bottom_k<k>\(x\): the last axis of x is a named dimension
// An axis that may be too short.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bottom_k<1>(xg::transpose(x));
#else
constexpr auto z = xg::bottom_k<1>(x);
#endif
