// SPDX-License-Identifier: MIT
// expect-error: xgrad: worker\.without\(v\): these replicas have no separate accumulator for each variable
// A gradient omitted by a worker of the fused replicas.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::sync_replicas replicas(train, {.workers = 2});
#else
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2});
#endif
    replicas.run([](auto& worker) { worker.without(w)(); });
}
