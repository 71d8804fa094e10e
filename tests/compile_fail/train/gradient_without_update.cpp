// SPDX-License-Identifier: MIT
// expect-error: xgrad: train\.gradient\(v\): v is not a variable that this trainer updates, or its gradient depends on updated\(\.\.\.\)
// The gradient of a variable that no rule moves.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto fixed = xg::non_trainable<"fixed", float, 3>;
constexpr auto loss = xg::sum(xg::square(w - fixed));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
    train.compute_gradients();
#ifdef XGRAD_EXPECT_ERROR
    train.gradient(fixed);
#else
    train.gradient(w);
#endif
}
