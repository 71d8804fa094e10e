// SPDX-License-Identifier: MIT
// expect-error: xgrad: the arguments of a call are in braces
// as a dictionary.
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
    train({x = a});
}
#else
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train(x = a);
}
#endif
