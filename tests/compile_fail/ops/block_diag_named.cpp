// SPDX-License-Identifier: MIT
// expect-error: xgrad::block_diag\(a, b...\): a number of columns is a named dimension
// The zeros next to a matrix need its number of columns.
#include <xgrad/ops/blocks.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto y = xg::input<"y", float, 3, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::block_diag(x, y);
#else
constexpr auto z = xg::block_diag(x, x);
#endif
