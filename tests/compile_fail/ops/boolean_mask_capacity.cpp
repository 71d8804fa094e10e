// SPDX-License-Identifier: MIT
// expect-error: xgrad::boolean_mask<capacity>\(x, mask\): capacity is not an integer
// A negative capacity.
#include <xgrad/ops/partition.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto mask = xg::input<"mask", bool, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::boolean_mask<-1>(x, mask);
#else
constexpr auto z = xg::boolean_mask<1>(x, mask);
#endif
