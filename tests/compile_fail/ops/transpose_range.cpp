// SPDX-License-Identifier: MIT
// expect-error: xgrad::transpose<p\.\.\.>\(x\): an axis does not exist in x or is there twice
// An axis far away.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::transpose<17, 16>(x);
#else
constexpr auto z = xg::transpose<1, 0>(x);
#endif
