// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): the axes before the last two differ
// axes of a batch that differ.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(xg::input<"a", float, 3, 4, 5>, xg::input<"b", float, 2, 5, 6>);
#else
constexpr auto z = xg::matmul(xg::input<"a", float, 2, 4, 5>, xg::input<"b", float, 2, 5, 6>);
#endif
