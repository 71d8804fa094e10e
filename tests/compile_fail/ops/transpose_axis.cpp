// SPDX-License-Identifier: MIT
// expect-error: xgrad::transpose<p\.\.\.>\(x\): an axis does not exist in x or is there twice
// An axis twice.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::transpose<1, 1>(x);
#else
constexpr auto z = xg::transpose<0, 1>(x);
#endif
