// SPDX-License-Identifier: MIT
// expect-error: xgrad: a call is given the size of a named dimension, which it takes from its arrays
// The size of the batch next to it.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(x, w)));

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train(x = xg::array(a, 8, 4), batch = 8);
}
#else
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train(x = xg::array(a, 8, 4));
}
#endif
