// SPDX-License-Identifier: MIT
// One rank, without a launcher.
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/mpi.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

int main() {
    constexpr auto g = xg::input<"g", float>;
    constexpr auto v = xg::variable<"v", float>;
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
    xg::sync_replicas replicas(train, xg::mpi{}, {.initial_tokens = 0});
    replicas.run([&](auto& worker) { worker(g = 2.f); });
    return train.value(v)() == -2 ? 0 : 1;
}
