// SPDX-License-Identifier: MIT
// expect-error: xgrad::cumsum<axis>\(x\), cumprod, cummax, cummin, cumulative_logsumexp: axis is outside of
// An axis that x does not have.
#include <xgrad/ops/cumulative.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cumsum<2>(x);
#else
constexpr auto z = xg::cumsum<1>(x);
#endif
