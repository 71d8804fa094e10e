// SPDX-License-Identifier: MIT
// expect-error: xgrad: a schedule is given as an update rule
// A schedule after the rule.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
auto train = xg::minimize(loss, xg::adam{}, xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100});
#else
auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::cosine_decay{.learning_rate = 0.1, .decay_steps = 100}});
#endif
