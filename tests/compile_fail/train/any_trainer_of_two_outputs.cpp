// SPDX-License-Identifier: MIT
// expect-error: xgrad::any_trainer: a step does not return one number
// a trainer that returns two numbers.
#include <xgrad/train/any_trainer.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto loss = xg::sum(w * w);

int main() {
#ifdef XGRAD_EXPECT_ERROR
    xg::any_trainer train = xg::apply_gradients(xg::adam{}, xg::outputs(loss, loss + loss), xg::with_variable(xg::gradient_of(loss, w), w));
#else
    xg::any_trainer train = xg::minimize(loss, xg::adam{});
#endif
    train({});
}
