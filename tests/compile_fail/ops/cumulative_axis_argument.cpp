// SPDX-License-Identifier: MIT
// expect-error: xgrad::cumsum<axis>\(x\), cumprod, cummax, cummin, cumulative_logsumexp: the axis is an argument
// The axis as an argument, as in NumPy.
#include <xgrad/ops/cumulative.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cumprod(x, 1);
#else
constexpr auto z = xg::cumprod<1>(x);
#endif
