// SPDX-License-Identifier: MIT
// expect-error: xgrad::quantile<axes...>\(x, q\), median: x is neither float nor double
// The median of integers.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", std::int32_t, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::median<1>(x);
#else
constexpr auto z = xg::median<1>(xg::cast<float>(x));
#endif
