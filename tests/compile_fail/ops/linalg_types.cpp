// SPDX-License-Identifier: MIT
// expect-error: xgrad::solve\(a, b\), triangular_solve\(l, b\), cholesky_solve\(l, b\), lstsq\(a, b\): the element types differ
// A matrix of float and a right side of double.
#include <xgrad/ops/linalg/solve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 2, 3, 3>;
constexpr auto b = xg::input<"b", double, 2, 3, 1>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::solve(a, b);
#else
constexpr auto z = xg::solve(xg::cast<double>(a), b);
#endif
