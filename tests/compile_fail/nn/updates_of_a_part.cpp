// SPDX-License-Identifier: MIT
// expect-error: xgrad::minimize\(loss, rule, nn::updates\(y\)\): a layer of the loss has state that y does not have
// The updates of one term of a loss: the averages of the other term would never move.
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 3, 4>;
constexpr auto one = xg::sum(xg::square(xg::nn::batch_norm<"one">(x)));
constexpr auto two = xg::sum(xg::square(xg::nn::batch_norm<"two">(x)));
constexpr auto loss = one + two;

int main() {
    xg::gradient_descent const rule{.learning_rate = 0.1};
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(loss, rule, xg::nn::updates(one));
#else
    auto train = xg::minimize(loss, rule, xg::nn::updates(loss));
    auto parts = xg::minimize(loss, rule, xg::nn::updates(one), xg::nn::updates(two));
    auto kept = xg::minimize(loss, rule, xg::nn::updates(one), xg::nn::no_updates(two));
    auto more = xg::minimize(one, rule, xg::nn::updates(loss));
    static_cast<void>(parts), static_cast<void>(kept), static_cast<void>(more);
#endif
    static_cast<void>(train);
}
