// SPDX-License-Identifier: MIT
// expect-error: xgrad::hogwild\(train, options\): the rule has scalars of the optimizer, such as Adam's powers, or sums over a variable
// A rule whose powers all workers would move.
#include <xgrad/replicas/local/hogwild.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adagrad{});
#endif
    xg::hogwild replicas(train, {.workers = 2});
}
