// SPDX-License-Identifier: MIT
// expect-error: xgrad: there is no train\.step\(\)
// as in PyTorch.
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
    train.step(x = xg::array(a, 1, 4));
}
#else
void run(std::vector<float> const& a) {
    auto train = xg::minimize(loss, xg::adam{});
    train(x = xg::array(a, 1, 4));
}
#endif
