// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas\.add_worker\(\): no worker can join over a transport, where each rank has one
// One rank more.
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
    replicas.add_worker();
}
