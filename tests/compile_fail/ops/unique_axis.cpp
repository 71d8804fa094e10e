// SPDX-License-Identifier: MIT
// expect-error: xgrad::unique<capacity>\(x\): x is one number and has no axis
// A number.
#include <xgrad/ops/index/unique.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::unique<2>(x);
#else
constexpr auto z = xg::unique<2>(xg::expand_dims<0>(x));
#endif
