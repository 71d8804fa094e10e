// SPDX-License-Identifier: MIT
// expect-error: mean\(loss\) to minimize a loss
// A loss of each row, where one number is read.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto w = xg::variable<"w", float>;

float f(float const* p) {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::square(x * w), xg::adam{});
#else
    auto train = xg::minimize(xg::mean(xg::square(x * w)), xg::adam{});
#endif
    return train(x = xg::array(p, 3));
}
