// SPDX-License-Identifier: MIT
// expect-error: xgrad::nonzero<capacity>\(x\): x is one number
// A number has no positions.
#include <xgrad/ops/positions.hpp>

namespace xg = xgrad;

constexpr auto f = xg::input<"f", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nonzero<2>(f);
#else
constexpr auto z = xg::nonzero<2>(xg::expand_dims<0>(f));
#endif
