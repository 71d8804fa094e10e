// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(rule, output, pairs\.\.\.\): the second argument is neither the loss nor outputs\(a, b\)
// A number as the output.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto loss = xg::sum(xg::square(xg::matmul(x, w) + b));
constexpr auto g = xg::gradient_of(loss, w);

#ifdef XGRAD_EXPECT_ERROR
void make() { auto train = xg::apply_gradients(xg::adam{}, 1.0f, xg::with_variable(g, w)); }
#else
void make() { auto train = xg::apply_gradients(xg::adam{}, xg::outputs(loss, xg::sum(x)), xg::with_variable(g, w)); }
#endif
