// SPDX-License-Identifier: MIT
// expect-error: xgrad::cumsum<axis>\(x\), cumprod, cummax, cummin: x is bool
// Sums of truth values.
#include <xgrad/ops/cumulative.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", bool, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cumsum<1>(x);
#else
constexpr auto z = xg::cumsum<1>(xg::cast<std::int32_t>(x));
#endif
