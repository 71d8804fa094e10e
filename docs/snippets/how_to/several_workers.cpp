// SPDX-License-Identifier: MIT
// The program of docs/how_to/several_workers.md.
// prints: 250 updates by 4 workers, y = 3[.]0 x - 1[.]0
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto loss = xg::mean(xg::squared_error(slope * x + offset, y));

int main() {
    constexpr std::int64_t rows = 1000;
    std::vector<float> in, out;
    for (int i = 0; i < rows; ++i) {
        in.push_back(static_cast<float>(i % 21 - 10) / 10);
        out.push_back(3 * in.back() - 1);
    }
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 0.1});
    auto replicas = xg::sync_replicas(train, {.workers = 4, .initial_tokens = 0});
    auto const report = replicas.run([&](auto& worker) {   // in four threads
        for (auto const row : xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 7}))
            worker(x = xg::array(&in[row], 1), y = xg::array(&out[row], 1));
    });
    std::printf("%d updates by %zu workers, y = %.1f x - %.1f\n", static_cast<int>(report.updates), report.workers.size(),
        train.value(slope)(), -train.value(offset)());
}
