// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): a and b are neither float nor double
// stacks of integers.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(xg::input<"q", std::int32_t, batch, 7, 5>, xg::input<"k", std::int32_t, batch, 5, 7>);
#else
constexpr auto z = xg::matmul(xg::input<"q", float, batch, 7, 5>, xg::input<"k", float, batch, 5, 7>);
#endif
