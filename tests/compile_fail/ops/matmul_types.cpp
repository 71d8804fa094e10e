// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): a and b have different element types
// float times double.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(x, xg::variable<"v", double, 4, 3>);
#else
constexpr auto z = xg::matmul(x, xg::cast<float>(xg::variable<"v", double, 4, 3>));
#endif
