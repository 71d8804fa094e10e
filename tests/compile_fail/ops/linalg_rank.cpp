// SPDX-License-Identifier: MIT
// expect-error: xgrad::cholesky\(a\), solve\(a, b\), inverse\(a\), det\(a\), qr\(a\), eigh\(a\) and the like: a has fewer than two axes
// A vector in place of a matrix.
#include <xgrad/ops/solve.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", float, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::inverse(a);
#else
constexpr auto z = a;
#endif
