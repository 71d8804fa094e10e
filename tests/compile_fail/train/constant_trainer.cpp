// SPDX-License-Identifier: MIT
// expect-error: xgrad: a constant trainer is called
// a constant trainer.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(x * w);

int main() {
    float const numbers[] = {1, 2, 3, 4};
#ifdef XGRAD_EXPECT_ERROR
    auto const train = xg::minimize(loss, xg::adam{});
#else
    auto train = xg::minimize(loss, xg::adam{});
#endif
    train(x = xg::array(numbers, 1, 4));
}
