// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: dynamic_loss_scale needs all gradients together, but replicas sum them one after the other
// A loss scale that depends on all gradients.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::dynamic_loss_scale{}, xg::adam{}));
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::fixed_loss_scale{8}, xg::adam{}));
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
