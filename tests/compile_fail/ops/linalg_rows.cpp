// SPDX-License-Identifier: MIT
// expect-error: xgrad::solve\(a, b\), triangular_solve\(l, b\), cholesky_solve\(l, b\), lstsq\(a, b\): b has another number of rows
// A right side with the rows of its transposed matrix.
#include <xgrad/ops/linalg/cholesky.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 3, 3>;
constexpr auto b = xg::input<"b", float, 2, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cholesky_solve(a, b);
#else
constexpr auto z = xg::cholesky_solve(a, xg::transpose<0, 2, 1>(b));
#endif
