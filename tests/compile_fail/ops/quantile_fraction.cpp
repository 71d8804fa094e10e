// SPDX-License-Identifier: MIT
// expect-error: xgrad::quantile<axes...>\(x, q\): q is outside of 0 ... 1
// A percentage.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::quantile<1>(x, 25_c);
#else
constexpr auto z = xg::quantile<1>(x, 0.25_c);
#endif
