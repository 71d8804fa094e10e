// SPDX-License-Identifier: MIT
// expect-error: xgrad::stop_gradient\(x\): there is no x, or more than one
// No expression.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stop_gradient();
#else
constexpr auto z = xg::stop_gradient(x);
#endif
