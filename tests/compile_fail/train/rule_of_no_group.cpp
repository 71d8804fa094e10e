// SPDX-License-Identifier: MIT
// expect-error: xgrad: train\.rule<G>\(\): this trainer has no group G
// Two groups, and the sixth is asked for.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto loss = xg::sum(xg::square(xg::matmul(x, w) + b));

#ifdef XGRAD_EXPECT_ERROR
constexpr std::size_t group = 5;
#else
constexpr std::size_t group = 1;
#endif
void slow_down() {
    auto train = xg::minimize(loss, xg::param_group(xg::adam{}, w), xg::param_group(xg::gradient_descent{}, b));
    train.rule<group>().learning_rate = 1e-4;
}
