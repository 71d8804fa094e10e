// SPDX-License-Identifier: MIT
// expect-error: xgrad::quantile<axes...>\(x, q\): q is neither a number nor a scalar
// Several fractions.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::quantile<1>(x, x);
#else
constexpr auto z = xg::quantile<1>(x, xg::sum(x));
#endif
