// SPDX-License-Identifier: MIT
// expect-error: xgrad::block_diag\(a, b...\): an operand is not a matrix
// A vector.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto ids = xg::input<"ids", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::block_diag(x, ids);
#else
constexpr auto z = xg::block_diag(x, xg::expand_dims<0>(ids));
#endif
