// SPDX-License-Identifier: MIT
// expect-error: xgrad: worker\.without\(v\.\.\.\): a v is not a variable that this trainer updates
// A variable that no update of the trainer moves.
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto other = xg::variable<"other", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
    xg::sync_replicas replicas(train, xg::faithful{}, {.workers = 2});
#ifdef XGRAD_EXPECT_ERROR
    replicas.run([](auto& worker) { worker.without(other)(); });
#else
    replicas.run([](auto& worker) { worker.without(w)(); });
#endif
}
