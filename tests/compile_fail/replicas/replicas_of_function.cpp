// SPDX-License-Identifier: MIT
// expect-error: xgrad::sync_replicas\(train, options\): train is not a trainer, or is const or a temporary
// Something that does not train.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto const train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
