// SPDX-License-Identifier: MIT
// expect-error: xgrad::function\{expression\}: the expression has variables
// Variables without an owner.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;

#ifdef XGRAD_EXPECT_ERROR
auto make() { return xg::function{xg::matmul(x, w)}; }
#else
auto make(xg::variables<decltype(xg::matmul(x, w))>& owner) { return xg::function{xg::matmul(x, w), owner}; }
#endif
