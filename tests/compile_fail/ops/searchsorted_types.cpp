// SPDX-License-Identifier: MIT
// expect-error: xgrad::searchsorted\(sorted, values\): sorted and values have different element types
// Values of double in a row of float.
#include <xgrad/ops/order.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::searchsorted(x, xg::cast<double>(x));
#else
constexpr auto z = xg::searchsorted(x, x);
#endif
