// SPDX-License-Identifier: MIT
// expect-error: xgrad::variables\{expressions\.\.\., sizes\.\.\.\}: an argument is neither an expression nor a size such as features = 300
// The outputs of a function.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;

#ifdef XGRAD_EXPECT_ERROR
void make() { xg::variables v{xg::outputs(xg::matmul(x, w), xg::sum(b))}; }
#else
void make() { xg::variables v{xg::matmul(x, w), xg::sum(b)}; }
#endif
