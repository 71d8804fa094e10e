// SPDX-License-Identifier: MIT
// expect-error: xgrad::diag\(x\): x has no axis
// One number.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto s = xg::input<"s", float>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::diag(s);
#else
constexpr auto z = xg::diag(xg::expand_dims<0>(s));
#endif
