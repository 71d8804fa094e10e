// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: a step of this trainer reads updated\(v\), which a worker does not have
// An average of new values in the step of the trainer.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto average = xg::non_trainable<"average", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{}, xg::assign(average, xg::updated(w)));
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
