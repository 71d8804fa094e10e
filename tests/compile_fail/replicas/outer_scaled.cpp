// SPDX-License-Identifier: MIT
// expect-error: xgrad::diloco\(train, options, rule\): rule scales the loss, but it gets differences of variables, not gradients of a loss
// An outer rule that would unscale differences of weights.
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::diloco replicas(train, {.workers = 2}, xg::chain(xg::fixed_loss_scale{8}, xg::adam{}));
#else
    xg::diloco replicas(train, {.workers = 2}, xg::adam{});
#endif
}
