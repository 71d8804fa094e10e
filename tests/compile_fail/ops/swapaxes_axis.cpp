// SPDX-License-Identifier: MIT
// expect-error: xgrad::swapaxes<a, b>\(x\): an axis is outside
// An axis that x does not have.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::swapaxes<-3, 1>(x);
#else
constexpr auto z = xg::swapaxes<-2, 1>(x);
#endif
