// SPDX-License-Identifier: MIT
// expect-error: xgrad::moveaxis<from, to>\(x\): from or to is outside
// An axis that x does not have.
#include <xgrad/ops/axes.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::moveaxis<0, 2>(x);
#else
constexpr auto z = xg::moveaxis<0, 1>(x);
#endif
