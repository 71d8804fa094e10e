// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas\.replay: the replicas have a transport, but a schedule is run in one thread
// A schedule for several processes.
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run([[maybe_unused]] xg::thread_transport rank) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::agn replicas(train, rank);
#else
    xg::agn replicas(train);
#endif
    typename decltype(replicas)::replay replay(replicas);
}
