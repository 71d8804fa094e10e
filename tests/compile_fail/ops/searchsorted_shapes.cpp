// SPDX-License-Identifier: MIT
// expect-error: xgrad::searchsorted\(sorted, values\): the axes before the last one differ
// Values for other rows.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::searchsorted(x, xg::transpose(x));
#else
constexpr auto z = xg::searchsorted(x, x);
#endif
