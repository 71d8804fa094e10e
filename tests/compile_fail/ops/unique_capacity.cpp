// SPDX-License-Identifier: MIT
// expect-error: xgrad::unique<capacity>\(x\): capacity is not an integer of at least 0
// A number of places below 0.
#include <xgrad/ops/index/unique.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unique<-1>(x);
#else
constexpr auto z = xg::unique<1>(x);
#endif
