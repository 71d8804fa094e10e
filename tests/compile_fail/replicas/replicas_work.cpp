// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas\.run\(work\): work cannot be called with a worker
// Work that does not say for which worker it is.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
    xg::sync_replicas replicas(train, {.workers = 2});
#ifdef XGRAD_EXPECT_ERROR
    replicas.run([] {});
#else
    replicas.run([](auto& worker) { worker(); });
#endif
}
