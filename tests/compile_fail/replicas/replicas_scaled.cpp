// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: a rule that scales the loss needs the gradients of its own trainer
// Gradients of workers, which nobody has scaled.
#include <xgrad/replicas/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::fixed_loss_scale{8}, xg::adam{}));
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
