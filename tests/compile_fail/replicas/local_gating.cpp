// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: this trainer makes some updates before all gradients, which workers cannot
// The same of workers that take local steps.
#include <xgrad/replicas/local/agn.hpp>
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
    xg::agn replicas(train, {.workers = 2, .period = 10});
}
