// SPDX-License-Identifier: MIT
// expect-error: xgrad::unique<capacity>\(x\): x is bool, or has 16 bits
// Truth values.
#include <xgrad/ops/index/unique.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", bool, 5>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unique<2>(x);
#else
constexpr auto z = xg::unique<2>(xg::cast<std::int32_t>(x));
#endif
