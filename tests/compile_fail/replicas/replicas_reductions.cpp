// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: a rule or link has sums over all variables, like prodigy
// A rule that sums over all variables before it moves one.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::chain(xg::clip_by_global_norm(1), xg::adam{}));
#else
    using namespace xg::literals;
    auto const [dw] = xg::clip_by_global_norm(xg::compute_gradients(loss, w), 1_c);
    auto train = xg::apply_gradients<xg::gating::graph>(xg::adam{}, loss, xg::with_variable(dw, w));
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
