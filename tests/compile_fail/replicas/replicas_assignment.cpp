// SPDX-License-Identifier: MIT
// expect-error: xgrad: replicas of a trainer: this trainer assigns to a variable that is not float or double
// A count of which each worker would have its own.
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto w = xg::variable<"w", float, 3>;
constexpr auto count = xg::non_trainable<"count", std::int32_t>;
constexpr auto mean = xg::non_trainable<"mean", float>;
constexpr auto loss = xg::sum(xg::square(w));

void run() {
#ifdef XGRAD_EXPECT_ERROR
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{}, xg::assign(count, count + 1_c));
#else
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{}, xg::assign(mean, mean + 1_c));
#endif
    xg::sync_replicas replicas(train, {.workers = 2});
}
