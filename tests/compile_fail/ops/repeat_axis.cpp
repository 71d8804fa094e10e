// SPDX-License-Identifier: MIT
// expect-error: xgrad::repeat<times, axis>\(x\): axis is outside of
// An axis that x does not have.
#include <xgrad/ops/arrange.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::repeat<2, 2>(x);
#else
constexpr auto z = xg::repeat<2, 1>(x);
#endif
