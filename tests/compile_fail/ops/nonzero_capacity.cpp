// SPDX-License-Identifier: MIT
// expect-error: xgrad::nonzero<capacity>\(x\): capacity is not an integer
// A negative capacity.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nonzero<-2>(x);
#else
constexpr auto z = xg::nonzero<2>(x);
#endif
