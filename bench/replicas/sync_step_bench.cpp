// SPDX-License-Identifier: MIT
// A step of two synchronous replicas compared with its parts: the gradients of one worker, and one update with their mean, by one thread.
// The other core computes the gradients of the other worker meanwhile. A network of a million parameters, 784-1024-200-10 with relu, cross
// entropy and Adam.
//
// A sample of each row is some steps, a quarter of a second. Samples of all rows alternate, and ratios are medians over the rounds, of
// adjacent samples. "best" is the ratio of the fastest samples, which a busy machine disturbs least.
// "faithful" has an accumulator for each variable and a chief, like TensorFlow. Without --pin threads are not pinned. An allocation in a
// timed step of replicas fails the run. --json writes the input of against_ddp.
#include "frame.hpp"

#include <xgrad/replicas/replicas.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>
#if defined(__linux__)
#    include <sched.h>
#endif

namespace {
namespace xg = xgrad;
using clock_type = std::chrono::steady_clock;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 1024>;
constexpr auto b1 = xg::variable<"b1", float, 1024>;
constexpr auto w2 = xg::variable<"w2", float, 1024, 200>;
constexpr auto b2 = xg::variable<"b2", float, 200>;
constexpr auto w3 = xg::variable<"w3", float, 200, 10>;
constexpr auto b3 = xg::variable<"b3", float, 10>;
constexpr auto hidden1 = xg::relu(xg::matmul(x, w1) + b1);
constexpr auto hidden2 = xg::relu(xg::matmul(hidden1, w2) + b2);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden2, w3) + b3, y));
constexpr xg::adam rule{.learning_rate = 1e-3f};

template<class Train, class F>
void each_variable(Train&, F const& f) {
    f(w1), f(b1), f(w2), f(b2), f(w3), f(b3);
}
auto start(auto make) {
    auto train = make();
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train;
}
auto one_pass() {
    return start([] { return xg::minimize(loss, rule); });
}
auto gradients_first() {
    return start([] { return xg::minimize<xg::gating::graph>(loss, rule); });
}
using trainer_type = decltype(gradients_first());

/// What one worker computes with in every step.
struct data {
    std::vector<float> images;
    std::vector<std::int32_t> labels;
    data(std::size_t rows, std::size_t worker) : images(rows * 784), labels(rows) {
        for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>((i * 7919 + worker * 104729) % 1000) / 1000;
        for (std::size_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>((i * 31 + worker * 7) % 10);
    }
    auto operator()(auto&& f) const { return f(x = xg::array(images.data(), labels.size(), 784), y = labels); }
};

double seconds(clock_type::time_point from) { return std::chrono::duration<double>(clock_type::now() - from).count(); }
double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

bool pinned = false, failed = false;
constexpr int warm = 3;   // steps before a sample
void pin(int k) {
#if defined(__linux__)
    if (!pinned) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(k), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) std::perror("sched_setaffinity");
#else
    (void)k;
#endif
}

/// Two hand-written threads: gradients, a meeting, the sum and the update by one of them, a meeting, copies of the variables.
class by_hand {
    trainer_type first_ = gradients_first(), second_ = gradients_first();
    data const* data_;
    void step(int k, std::barrier<>& meet) {
        trainer_type& mine = k == 0 ? first_ : second_;
        data_[k]([&](auto... in) { mine.compute_gradients(in...); });
        meet.arrive_and_wait();
        if (k == 0) {
            each_variable(first_, [&](auto v) {
                auto a = first_.gradient(v), b = second_.gradient(v);
                float* const to = a.data();
                float const* const from = b.data();
                for (std::int64_t i = 0, n = a.size(); i < n; ++i) to[i] = (to[i] + from[i]) / 2;
            });
            first_.apply_gradients();
        }
        meet.arrive_and_wait();
        if (k == 0) return;
        each_variable(first_, [&](auto v) {
            auto from = first_.value(v), to = second_.value(v);
            std::memcpy(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(float));
        });
    }

public:
    explicit by_hand(data const* d) : data_(d) {}
    double run(int steps) {
        std::barrier<> meet(2);
        double spent = 0;
        std::thread other([&] {
            pin(1);
            for (int s = 0; s < warm + steps; ++s) step(1, meet);
        });
        std::thread one([&] {
            pin(0);
            for (int s = 0; s < warm; ++s) step(0, meet);
            auto const from = clock_type::now();
            for (int s = 0; s < steps; ++s) step(0, meet);
            spent = seconds(from);
        });
        one.join();
        other.join();
        return spent / steps;
    }
    float probe() { return first_.value(w2)[777]; }
};

template<class How>
class by_replicas {
    trainer_type train_ = gradients_first();
    data const* data_;
    xg::sync_replicas<trainer_type, How> all_;

public:
    by_replicas(data const* d, int workers, bool share)
        : data_(d), all_(train_, How{}, {.workers = workers, .initial_tokens = 0, .share_variables = share}) {}
    double run(int steps) {
        double spent = 0;
        all_.run([&](auto& worker) {
            pin(worker.index());
            auto const step = [&] { data_[worker.index()](worker); };
            for (int s = 0; s < warm; ++s) step();
            std::uint64_t const before = bench::allocations();
            auto const from = clock_type::now();
            for (int s = 0; s < steps; ++s) step();
            if (worker.index() != 0) return;
            spent = seconds(from);
            if (std::uint64_t const n = bench::allocations() - before; n != 0) {
                std::fprintf(stderr, "replicas allocated %llu times in %d steps\n", static_cast<unsigned long long>(n), steps);
                failed = true;
            }
            // the other one may still have its last step to end
        });
        return spent / steps;
    }
    /// Updates alone: the mean of two gradients that are there, in one thread.
    double update(int steps) {
        double spent = 0;
        typename decltype(all_)::replay replay(all_);
        for (int s = 0; s < warm + steps; ++s) {
            for (int k = 0; k < 2; ++k) {
                data_[k]([&](auto... in) { replay.compute(k, in...); });
                replay.push(k);
            }
            auto const from = clock_type::now();
            replay.update();
            if (s >= warm) spent += seconds(from);
            for (int k = 0; k < 2; ++k) replay.begin(k);
        }
        return spent / steps;
    }
    float probe() { return train_.value(w2)[777]; }
};

/// Gradients and nothing else, by two threads that know nothing of each other.
class gradients_of_both {
    trainer_type trains_[2] = {gradients_first(), gradients_first()};
    data const* data_;

public:
    explicit gradients_of_both(data const* d) : data_(d) {}
    double run(int steps) {
        std::barrier<> meet(2);
        double spent[2]{};
        std::vector<std::jthread> threads;
        for (int k = 0; k < 2; ++k)
            threads.emplace_back([&, k] {
                pin(k);
                auto const step = [&] { data_[k]([&](auto... in) { trains_[k].compute_gradients(in...); }); };
                for (int s = 0; s < warm; ++s) step();
                meet.arrive_and_wait();
                auto const from = clock_type::now();
                for (int s = 0; s < steps; ++s) step();
                spent[k] = seconds(from);
            });
        threads.clear();
        return (spent[0] + spent[1]) / 2 / steps;
    }
};
template<class Train>
double alone(Train& train, data const& d, int steps) {
    double spent = 0;
    std::thread([&] {
        pin(0);
        for (int s = 0; s < warm; ++s) d(train);
        auto const from = clock_type::now();
        for (int s = 0; s < steps; ++s) d(train);
        spent = seconds(from);
    }).join();
    return spent / steps;
}

enum side { plain, graph, one_worker, gradients, update, two_workers, two_copying, by_variable, hand, sides };
char const* const keys[sides] = {"train", "train_graph", "one_worker", "gradients", "update", "two_workers", "two_workers_copying",
    "two_workers_by_variable", "by_hand"};

struct result {
    std::size_t rows;
    std::vector<double> samples[sides];

    double ms(side s) const { return 1e3 * median(samples[s]); }
    double best(side s) const { return *std::min_element(samples[s].begin(), samples[s].end()); }
    template<class F>
    double ratio(F const& f) const {
        std::vector<double> v;
        for (std::size_t i = 0; i < samples[0].size(); ++i) v.push_back(f([&](side s) { return samples[s][i]; }));
        return median(v);
    }
};

void agree(std::size_t rows, char const* what, float a, float b) {
    if (std::abs(a - b) <= 1e-5f) return;
    std::fprintf(stderr, "batch %zu, %s: %.9g and %.9g\n", rows, what, static_cast<double>(a), static_cast<double>(b));
    failed = true;
}

result measure(std::size_t rows, int rounds, double sample) {
    data const both[2] = {{rows, 0}, {rows, 1}};
    auto train = one_pass();
    auto train_graph = gradients_first();
    by_replicas<xg::fused> one(both, 1, true), two(both, 2, true), copying(both, 2, false), updates(both, 2, true);
    by_replicas<xg::faithful> variables(both, 2, true);
    by_hand threads(both);
    gradients_of_both parallel(both);
    std::function<double(int)> const run[sides] = {
        [&](int n) { return alone(train, both[0], n); },
        [&](int n) { return alone(train_graph, both[0], n); },
        [&](int n) { return one.run(n); },
        [&](int n) { return parallel.run(n); },
        [&](int n) { return updates.update(n); },
        [&](int n) { return two.run(n); },
        [&](int n) { return copying.run(n); },
        [&](int n) { return variables.run(n); },
        [&](int n) { return threads.run(n); },
    };
    result r{rows, {}};
    int steps[sides];
    for (int s = 0; s < sides; ++s) {
        double const once = run[s](4);   // all that are compared below have updated as often
        steps[s] = std::max(4, static_cast<int>(sample / once));
    }
    steps[update] = std::max(4, steps[gradients] / 2);   // it computes gradients too
    agree(rows, "replicas with and without copies after as many steps", two.probe(), copying.probe());
    agree(rows, "replicas and two threads by hand after as many steps", two.probe(), threads.probe());
    for (int k = 0; k < rounds; ++k)
        for (int s = 0; s < sides; ++s) {
            int const at = k % 2 == 0 ? s : sides - 1 - s;
            r.samples[at].push_back(run[at](steps[at]));
        }
    return r;
}

}   // namespace

int main(int argc, char** argv) {
    int rounds = 11;
    double sample = .25;
    std::string json;
    std::vector<std::size_t> batches;
    for (int i = 1; i < argc; ++i) {
        std::string const option = argv[i];
        if (option == "--pin") {
            pinned = true;
            continue;
        }
        if (i + 1 == argc || (option != "--rounds" && option != "--sample" && option != "--batch" && option != "--json")) {
            std::fprintf(stderr, "usage: %s [--rounds N] [--sample SECONDS] [--batch ROWS]... [--pin] [--json FILE]\n", argv[0]);
            return 2;
        }
        char const* const value = argv[++i];
        if (option == "--rounds") rounds = std::max(1, std::atoi(value));
        else if (option == "--sample") sample = std::atof(value);
        else if (option == "--json") json = value;
        else batches.push_back(static_cast<std::size_t>(std::max(1, std::atoi(value))));
    }
    if (batches.empty()) batches = {32, 128, 512};

    std::vector<result> results;
    for (std::size_t const rows : batches) results.push_back(measure(rows, rounds, sample));

    std::printf(
        "\n### a step in ms, %d rounds\n\n| rows of a batch | train(...) | gating::graph | replicas, 1 worker | 2 workers | 2, with copies | 2, faithful | 2 "
        "threads by hand |\n|---|---|---|---|---|---|---|---|\n",
        rounds);
    for (result const& r : results)
        std::printf("| %zu | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", r.rows, r.ms(plain), r.ms(graph), r.ms(one_worker),
            r.ms(two_workers), r.ms(two_copying), r.ms(by_variable), r.ms(hand));
    std::printf(
        "\n### against its parts\n\n| rows of a batch | gradients on both cores, ms | update with their mean, ms | step of 2 workers / sum | by "
        "hand / sum | 1 worker / train(...) | 1 worker / gating::graph | gradients per second, 2 workers / 1 | 2 workers / train(...) | best step / "
        "sum | best 2 workers / 1 |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (result const& r : results)
        std::printf("| %zu | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f | %.3f | %.2f |\n", r.rows, r.ms(gradients),
            r.ms(update), r.ratio([](auto t) { return t(two_workers) / (t(gradients) + t(update)); }),
            r.ratio([](auto t) { return t(hand) / (t(gradients) + t(update)); }), r.ratio([](auto t) { return t(one_worker) / t(plain); }),
            r.ratio([](auto t) { return t(one_worker) / t(graph); }), r.ratio([](auto t) { return 2 * t(one_worker) / t(two_workers); }),
            r.ratio([](auto t) { return 2 * t(plain) / t(two_workers); }), r.best(two_workers) / (r.best(gradients) + r.best(update)),
            2 * r.best(one_worker) / r.best(two_workers));
    if (!json.empty()) {
        std::FILE* const file = std::fopen(json.c_str(), "w");
        if (file == nullptr) {
            std::perror(json.c_str());
            return 1;
        }
        std::fprintf(file, "{");
        for (result const& r : results) {
            std::fprintf(file, "%s\n  \"%zu\": {", &r == results.data() ? "" : ",", r.rows);
            for (int s = 0; s < sides; ++s) std::fprintf(file, "%s\"%s\": %.6g", s == 0 ? "" : ", ", keys[s], r.ms(static_cast<side>(s)));
            std::fprintf(file, "}");
        }
        std::fprintf(file, "\n}\n");
        if (std::fclose(file) != 0) {
            std::perror(json.c_str());
            return 1;
        }
    }
    return failed ? 1 : 0;
}
