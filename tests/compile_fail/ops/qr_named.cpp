// SPDX-License-Identifier: MIT
// expect-error: xgrad::qr\(a\): one of the last two extents of a is a named dimension
// The number of rows is known only at a call.
#include <xgrad/ops/qr.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto a = xg::input<"a", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::qr(a);
#else
constexpr auto z = xg::qr(xg::matmul<true>(a, a));
#endif
