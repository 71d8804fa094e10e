// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): in the last two axes, the last extent of a differs from the first extent of b
// keys that are not transposed.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(xg::input<"q", float, batch, 7, 5>, xg::input<"k", float, batch, 7, 5>);
#else
constexpr auto z = xg::matmul<false, true>(xg::input<"q", float, batch, 7, 5>, xg::input<"k", float, batch, 7, 5>);
#endif
