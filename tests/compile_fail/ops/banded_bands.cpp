// SPDX-License-Identifier: MIT
// expect-error: xgrad: tridiagonal_solve\(d, b\), tridiagonal_matmul\(d, x\) or banded_triangular_solve\(d, b\): d is not \[..., bands, n\]
// Two diagonals.
#include <xgrad/ops/linalg/banded.hpp>

namespace xg = xgrad;

constexpr auto d = xg::input<"d", float, 2, 5>;
constexpr auto b = xg::input<"b", float, 5, 2>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = xg::tridiagonal_solve(d, b);
#else
constexpr auto y = xg::banded_triangular_solve(d, b);
#endif
