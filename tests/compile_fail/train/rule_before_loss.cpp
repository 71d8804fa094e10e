// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule\): the loss is not the first argument
// The rule before the loss.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::mean(x * w);

int main() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(xg::adam{}, loss);
#else
    auto train = xg::minimize(loss, xg::adam{});
#endif
}
