// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(rule, output, pairs\.\.\.\): the second argument is neither the loss nor outputs\(a, b\)
// the rule alone.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::apply_gradients(xg::adam{});
#else
auto train = xg::apply_gradients(xg::adam{}, loss, xg::with_variable(xg::gradient_of(loss, w), w));
#endif
