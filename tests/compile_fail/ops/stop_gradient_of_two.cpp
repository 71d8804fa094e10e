// SPDX-License-Identifier: MIT
// expect-error: xgrad::stop_gradient\(x\): there is no x, or more than one
// Two expressions.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::stop_gradient(x, w);
#else
constexpr auto z = xg::stop_gradient(x) * xg::stop_gradient(w);
#endif
