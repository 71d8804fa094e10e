// SPDX-License-Identifier: MIT
// expect-error: xgrad::concat<axis>\(\.\.\.\): axis is outside of -rank \.\.\. rank-1 of the operands
// Axis 2 of matrices.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::concat<2>(w, w);
#else
constexpr auto z = xg::concat<1>(w, w);
#endif
