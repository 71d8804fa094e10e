// SPDX-License-Identifier: MIT
// expect-error: xgrad: initialize, assign or grow is called on a constant owner, whose variables would change
// an owner that is const.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run() {
    xg::variables const owner{loss};
    owner.initialize(xg::glorot_uniform{.seed = 1});
}
#else
void run() {
    xg::variables owner{loss};
    owner.initialize(xg::glorot_uniform{.seed = 1});
}
#endif
