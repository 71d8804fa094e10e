// SPDX-License-Identifier: MIT
// expect-error: xgrad::diag\(x\): x has six axes already
// An axis too many.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::diag(xg::input<"six", float, 1, 2, 1, 2, 1, 2>);
#else
constexpr auto z = xg::diag(xg::input<"five", float, 1, 2, 1, 2, 1>);
#endif
