// SPDX-License-Identifier: MIT
// expect-error: xgrad::matmul\(a, b\): a or b has fewer than two axes
// A matrix times a vector.
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::matmul(x, xg::variable<"v", float, 4>) + b;
#else
constexpr auto z = xg::matmul(x, xg::expand_dims<1>(xg::variable<"v", float, 4>)) + b;
#endif
