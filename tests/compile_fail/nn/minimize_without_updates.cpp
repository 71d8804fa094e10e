// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule\): a layer of the loss has state
// Moving averages that nothing moves.
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto loss = xg::sum(xg::square(xg::nn::batch_norm<"bn">(x)));

int main() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1});
#else
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}, xg::nn::updates(loss));
#endif
    static_cast<void>(train);
}
