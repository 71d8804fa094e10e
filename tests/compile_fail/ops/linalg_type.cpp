// SPDX-License-Identifier: MIT
// expect-error: xgrad::cholesky\(a\), solve\(a, b\), inverse\(a\), det\(a\), qr\(a\), eigh\(a\) and the like: a is neither float nor double
// A matrix of integers.
#include <xgrad/ops/eigh.hpp>

namespace xg = xgrad;

constexpr auto a = xg::input<"a", int, 3, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::eigh(a);
#else
constexpr auto z = xg::eigh(xg::cast<float>(a));
#endif
