// SPDX-License-Identifier: MIT
// expect-error: xgrad: train\.compute_gradients\(\.\.\.\): this trainer makes some updates before all gradients, but a step in two parts cannot
// A trainer whose plan updates some variables before all gradients are there.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize(loss, xg::adam{});
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#endif
    train.compute_gradients();
}
