// SPDX-License-Identifier: MIT
// expect-error: xgrad::diloco\(train, options, rule\): rule needs values of a whole variable or row, but each element is moved alone
// An outer rule that needs the norm of a variable.
#include <xgrad/replicas/local/diloco.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{});
#ifdef XGRAD_EXPECT_ERROR
    xg::diloco replicas(train, {.workers = 2}, xg::lamb{});
#else
    xg::diloco replicas(train, {.workers = 2}, xg::adam{});
#endif
}
