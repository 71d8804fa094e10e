// SPDX-License-Identifier: MIT
// Whether the memory of replicas stays constant. Many runs with workers that end, join and throw, one long run, and one in which workers
// end and others join in their place. Prints the resident memory at intervals; the last line is the verdict.
// usage: replicas_soak [steps of workers, 1000000] [KiB by which it may grow after the first fifth, 2048]
#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/sync/faithful_replicas.hpp>
#include <xgrad/replicas/sync/sync_replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {
constexpr auto ids = xg::input<"ids", std::int32_t, 4>;
constexpr auto x = xg::input<"x", float, 4, 16>;
constexpr auto table = xg::variable<"table", float, 500, 24>;
constexpr auto w = xg::variable<"w", float, 16, 24>;
constexpr auto loss = xg::mean(xg::square(xg::tanh(xg::matmul(x, w) + xg::gather(table, ids)) - 0.3_c));

/// KiB; -1 where the system does not say.
long resident() {
    std::FILE* const file = std::fopen("/proc/self/status", "r");
    if (file == nullptr) return -1;
    char line[256];
    long size = -1;
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::sscanf(line, "VmRSS: %ld kB", &size) == 1) break;
    std::fclose(file);
    return size;
}

struct soak {
    char const* name;
    std::int64_t steps, interval, done = 0, next = 0;
    std::vector<long> sizes{};
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    void look() {
        if (done < next) return;
        next += interval;
        sizes.push_back(resident());
        std::printf("%-16s %10lld steps %8.1f s %8ld KiB\n", name, static_cast<long long>(done),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), sizes.back());
        std::fflush(stdout);
    }
    /// How much more memory it had at last than after the first fifth.
    long grown() const {
        std::size_t const first = std::max<std::size_t>(sizes.size() / 5, 1);
        return *std::max_element(sizes.begin() + static_cast<std::ptrdiff_t>(first), sizes.end()) -
               *std::max_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(first));
    }
};

template<class Worker>
void step(Worker& worker, std::mt19937& random) {
    std::int32_t rows[4];
    float in[64];
    for (auto& r : rows) r = static_cast<std::int32_t>(random() % 500);
    for (auto& v : in) v = static_cast<float>(random() % 100) / 100;
    worker(ids = rows, x = xg::array(in, 4, 16));
}
auto make() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = .001});
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train;
}

/// Runs of some hundred steps, in which workers end early, join and throw.
template<class How>
void churn(soak& s) {
    auto train = make();
    int thrown = 0, joined = 0;
    for (unsigned seed = 0; s.done < s.steps; ++seed) {
        int const workers = 1 + static_cast<int>(seed % 4);
        xg::sync_replicas replicas(
            train, How{}, {.workers = workers, .replicas_to_aggregate = 1 + static_cast<int>(seed / 4 % 4), .share_variables = false});
        std::atomic<int> joins{0};
        try {
            replicas.run([&](auto& worker) {
                std::mt19937 random(seed * 16 + static_cast<unsigned>(worker.index()));
                int const mine = 50 + static_cast<int>(random() % 100), fails = random() % 12 == 0 ? mine / 2 : -1,
                          joins_at = static_cast<int>(random() % 200);
                for (int k = 0; k < mine; ++k) {
                    if (k == fails) throw std::runtime_error("as planned");
                    if (k == joins_at && joins.fetch_add(1) < 4) try {
                            replicas.add_worker();
                        } catch (xg::value_error const&) {}   // the run is being stopped
                    step(worker, random);
                }
            });
        } catch (xg::worker_error const&) { ++thrown; }
        auto const report = replicas.progress();
        for (auto const& w : report.workers) s.done += w.steps;
        joined += static_cast<int>(report.workers.size()) - workers;
        s.look();
    }
    std::printf("%-16s %d runs were ended by an exception, %d workers joined, %lld updates\n", s.name, thrown, joined,
        static_cast<long long>(train.global_step()));
}
/// One run of all steps.
template<class How>
void hold(soak& s) {
    auto train = make();
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 2});
    std::int64_t const mine = s.steps / 3;
    replicas.run([&](auto& worker) {
        std::mt19937 random(static_cast<unsigned>(worker.index()));
        for (std::int64_t k = 0; k < mine; ++k) {
            step(worker, random);
            if (worker.index() > 0) continue;
            s.done = 3 * k;
            s.look();
        }
    });
}
/// One run in which each worker takes about a hundred steps, and has another one take its place.
void relay(soak& s, auto& replicas) {
    std::atomic<std::int64_t> steps{0};
    auto const report = replicas.run([&](auto& worker) {
        std::mt19937 random(static_cast<unsigned>(worker.index()));
        for (auto mine = 50 + random() % 100; mine > 0 && steps < s.steps; --mine) {
            step(worker, random);
            ++steps;
        }
        if (worker.index() % 3 == 0) {
            static std::mutex looking;
            std::lock_guard const lock(looking);
            s.done = steps;
            s.look();
        }
        if (steps < s.steps) replicas.add_worker();
    });
    std::printf("%-16s %zu workers joined, %lld updates\n", s.name, report.workers.size() - 3, static_cast<long long>(report.updates));
}
template<class How>
void relay_of_sync(soak& s) {
    auto train = make();
    xg::sync_replicas replicas(train, How{}, {.workers = 3, .replicas_to_aggregate = 2, .share_variables = false});
    relay(s, replicas);
}
void relay_of_local(soak& s) {
    auto train = make();
    xg::agn replicas(train, {.workers = 3, .period = 10});
    relay(s, replicas);
}
}   // namespace

int main(int argc, char** argv) {
    std::int64_t const steps = argc > 1 ? std::atoll(argv[1]) : 1000000;
    long const most = argc > 2 ? std::atol(argv[2]) : 2048;
    if (resident() < 0) {
        std::puts("the system does not say how much memory is resident");
        return 2;
    }
    bool constant = true;
    auto const run = [&](char const* name, auto const& body) {
        soak s{name, steps / 7, std::max<std::int64_t>(steps / 7 / 20, 1)};
        body(s);
        std::printf("%-16s grew by %ld KiB\n", name, s.grown());
        constant &= s.grown() <= most;
    };
    run("fused, churn", churn<xg::fused>);
    run("faithful, churn", churn<xg::faithful>);
    run("fused, long", hold<xg::fused>);
    run("faithful, long", hold<xg::faithful>);
    run("fused, relay", relay_of_sync<xg::fused>);
    run("faithful, relay", relay_of_sync<xg::faithful>);
    run("local, relay", relay_of_local);
    std::printf("memory %s within %ld KiB\n", constant ? "stays the same" : "GROWS by more than is allowed,", most);
    return constant ? 0 : 1;
}
