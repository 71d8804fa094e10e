// SPDX-License-Identifier: MIT
// A rank that the system stops: the others end with worker_error, and the job ends too. A rank that continues in time is waited for.
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/mpi.hpp>
#include <xgrad/xgrad.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
constexpr auto g = xg::input<"g", float>;
constexpr auto v = xg::variable<"v", float>;

// Another process lets this one continue after a while.
void stop_here(bool comes_back) {
    if (pid_t const me = getpid(); comes_back && fork() == 0) {
        std::this_thread::sleep_for(1500ms);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
}
}   // namespace

/// stopped_mpi stays|comes_back|lost: the last rank stops for ever, until it continues, or where the others can do without it.
int main(int, char** arguments) {
    std::string_view const how = arguments[1];
    xg::mpi ranks({.patience = how == "comes_back" ? std::chrono::nanoseconds(60s) : std::chrono::nanoseconds(1s)});
    auto train = xg::minimize<xg::gating::graph>(v * g, xg::gradient_descent{.learning_rate = 1.0});
    int const last = ranks.size() - 1, least = how == "stays" ? ranks.size() : 1;
    xg::sync_replicas replicas(train, ranks, {.initial_tokens = 0, .deadline = 500ms, .min_workers = least});
    try {
        auto const report = replicas.run([&](auto& worker) {
            worker(g = 1.f);
            if (worker.index() == last) stop_here(how == "comes_back");
            for (int k = 0; k < 3; ++k) worker(g = 1.f);
        });
        std::printf("rank %d: %lld updates, lost %d\n", ranks.rank(), static_cast<long long>(report.updates),
            static_cast<int>(report.workers.back().lost));
    } catch (xg::worker_error const& e) { std::printf("rank %d: %s\n", ranks.rank(), e.what()); }
    std::fflush(stdout);
}
