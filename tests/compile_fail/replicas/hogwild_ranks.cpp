// SPDX-License-Identifier: MIT
// expect-error: xgrad::hogwild\(train, transport\): a transport is given, but ranks have no common memory for one copy of the variables
// Workers that have no memory in common.
#include <xgrad/replicas/local/hogwild.hpp>
#include <xgrad/transport/thread_transport.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run([[maybe_unused]] xg::thread_transport rank) {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adagrad{});
#ifdef XGRAD_EXPECT_ERROR
    xg::hogwild replicas(train, rank);
#else
    xg::hogwild replicas(train);
#endif
}
