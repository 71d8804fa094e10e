// SPDX-License-Identifier: MIT
// expect-error: xgrad: replay\.push\(worker, v\), replay\.skip\(worker, v\), replay\.take\(v\), replay\.num_accumulated\(v\): v is neither a number nor a variable that this trainer updates
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
    typename decltype(replicas)::replay replay(replicas);
#ifdef XGRAD_EXPECT_ERROR
    replay.push(0, other);
#else
    replay.push(0, w);
#endif
}
