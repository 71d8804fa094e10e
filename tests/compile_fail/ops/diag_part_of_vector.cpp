// SPDX-License-Identifier: MIT
// expect-error: xgrad::diag_part\(x\): x has fewer than two axes
// A vector.
#include <xgrad/ops/diagonals.hpp>

namespace xg = xgrad;

constexpr auto v = xg::input<"v", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::diag_part(v);
#else
constexpr auto z = xg::diag(v);
#endif
