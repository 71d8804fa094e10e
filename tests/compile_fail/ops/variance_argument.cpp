// SPDX-License-Identifier: MIT
// expect-error: xgrad::variance<axes...>\(x\), stddev: a number is an argument
// The correction as a number.
#include <xgrad/ops/moments.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::variance<1>(x, 1);
#else
constexpr auto z = xg::variance<1>(x, xg::correction<1>);
#endif
