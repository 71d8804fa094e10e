// SPDX-License-Identifier: MIT
// expect-error: xgrad: an array or another object is used in an expression
// A std::vector as an operand of a matrix product.
#include <xgrad/ops/ops.hpp>

#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
auto z(std::vector<float> const& v) { return xg::matmul(x, v) + b; }
#else
auto z() { return xg::matmul(x, w) + b; }
#endif
