// SPDX-License-Identifier: MIT
// expect-error: xgrad::bottom_k<k>\(x\): x is bool
// The smallest truth values.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", bool, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::bottom_k<1>(x);
#else
constexpr auto z = xg::bottom_k<1>(xg::cast<float>(x));
#endif
