// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(rule, output, pairs...\): a layer of the loss has state
// Gradients of a loss in the body of a call, whose moving averages nothing moves.
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
struct body : xg::region {
    static constexpr auto value(auto z) { return xg::tanh(xg::nn::batch_norm<"bn">(z)); }
};
constexpr auto loss = xg::sum(xg::square(w * xg::call<body>(x)));
constexpr auto slope = xg::gradient_of(loss, w);

int main() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.1}, loss, xg::with_variable(slope, w));
#else
    auto train =
        xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.1}, loss, xg::with_variable(slope, w), xg::nn::no_updates(loss));
#endif
    static_cast<void>(train);
}
