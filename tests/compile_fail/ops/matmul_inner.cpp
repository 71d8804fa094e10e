// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): the last extent of a differs from the first extent of b
// [batch, 4] times [3, 4].
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(x, xg::variable<"v", float, 3, 4>);
#else
constexpr auto z = xg::matmul<false, true>(x, xg::variable<"v", float, 3, 4>);
#endif
