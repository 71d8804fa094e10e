// SPDX-License-Identifier: MIT
// expect-error: xgrad::sync_replicas\(train, policy, options\): policy is not xgrad::fused\{\}, xgrad::faithful\{\} or a transport
// A number of workers in place of a policy.
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run([[maybe_unused]] xg::thread_transport rank) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::sync_replicas replicas(train, 2);
#else
    xg::sync_replicas replicas(train, rank);
#endif
}
