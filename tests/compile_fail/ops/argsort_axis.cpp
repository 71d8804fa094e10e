// SPDX-License-Identifier: MIT
// expect-error: xgrad: sort\(x\) or argsort\(x\) gets an axis or an order, but sorts the last axis upwards
// Another axis.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::argsort(x, 0);
#else
constexpr auto z = xg::argsort(xg::transpose<1, 0>(x));
#endif
