// SPDX-License-Identifier: MIT
// expect-error: xgrad::cholesky\(a\), solve\(a, b\), inverse\(a\), det\(a\), eigh\(a\) and the like: the last two extents of a differ
// A matrix with more columns than rows.
#include <xgrad/ops/cholesky.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 3, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::cholesky(a);
#else
constexpr auto z = xg::cholesky(xg::matmul<false, true>(a, a));
#endif
