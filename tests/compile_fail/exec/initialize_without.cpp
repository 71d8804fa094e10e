// SPDX-License-Identifier: MIT
// expect-error: xgrad: initialize\(\) has no initializer
// no initializer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run() {
    auto train = xg::minimize(loss, xg::adam{});
    train.initialize();
}
#else
void run() {
    auto train = xg::minimize(loss, xg::adam{});
    train.initialize(xg::glorot_uniform{.seed = 1});
}
#endif
