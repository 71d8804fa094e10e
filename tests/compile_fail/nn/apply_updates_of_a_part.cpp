// SPDX-License-Identifier: MIT
// expect-error: xgrad::apply_gradients\(rule, output, pairs..., nn::updates\(y\)\): a layer of the differentiated loss has state that y
// The updates of one term of a loss whose gradients are applied: the averages of the other term would never move.
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto z = x * w;
constexpr auto one = xg::sum(xg::square(xg::nn::batch_norm<"one">(z)));
constexpr auto two = xg::sum(xg::square(xg::nn::batch_norm<"two">(z)));
constexpr auto loss = one + two;
constexpr auto pair = xg::with_variable(xg::gradient_of(loss, w), w);

int main() {
    xg::gradient_descent const rule{.learning_rate = 0.1};
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::apply_gradients(rule, loss, pair, xg::nn::updates(one));
#else
    auto train = xg::apply_gradients(rule, loss, pair, xg::nn::updates(loss));
    auto parts = xg::apply_gradients(rule, loss, pair, xg::nn::updates(one), xg::nn::updates(two));
    auto kept = xg::apply_gradients(rule, loss, pair, xg::nn::updates(one), xg::nn::no_updates(two));
    auto more = xg::apply_gradients(rule, one, xg::with_variable(xg::gradient_of(one, w), w), xg::nn::updates(loss));
    static_cast<void>(parts), static_cast<void>(kept), static_cast<void>(more);
#endif
    static_cast<void>(train);
}
