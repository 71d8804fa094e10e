// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): a and b are neither float nor double
// A product of integer matrices.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto n = xg::input<"n", std::int32_t, batch, batch>;
constexpr auto z = xg::matmul(n, n);
#else
constexpr auto n = xg::cast<float>(xg::input<"n", std::int32_t, batch, batch>);
constexpr auto z = xg::matmul(n, n);
#endif
