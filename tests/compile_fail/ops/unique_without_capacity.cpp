// SPDX-License-Identifier: MIT
// expect-error: xgrad::unique<capacity>\(x\): there is no capacity
// No capacity.
#include <xgrad/ops/index/unique.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::unique(x);
#else
constexpr auto y = xg::unique<4>(x);
#endif
