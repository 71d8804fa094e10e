// SPDX-License-Identifier: MIT
// expect-error: xgrad::searchsorted\(sorted, values\): sorted has no axis
// A number in place of a sorted vector.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::searchsorted(xg::sum(x), xg::sum(x));
#else
constexpr auto z = xg::searchsorted(x, x);
#endif
