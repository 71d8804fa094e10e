// SPDX-License-Identifier: MIT
// A step of two synchronous replicas over ranks. Compares gradients in one message after all of them are computed with several messages
// that leave while the others are computed. Models:
// * a network of 2.1 million parameters, 512-1024-1024-512-10 with relu, cross entropy and Adam;
// * an embedding table of a million rows of 16, of which each of 128 examples reads 20.
// The table has a rule that moves the rows that occur, and one that moves all. The tokens of the latter carry the whole table.
//
// Ranks are threads; with XGRAD_BENCH_MPI (the program ranks_step_mpi, mpirun -n 2) processes. A sample is some steps. Samples of both
// sides alternate, and ratios are medians over the rounds of adjacent samples.
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/xgrad.hpp>
#if XGRAD_BENCH_MPI
#    include <xgrad/transport/mpi.hpp>
#else
#    include <xgrad/transport/thread_transport.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {
namespace xg = xgrad;
using clock_type = std::chrono::steady_clock;
constexpr int ranks = 2, warm = 3;

inline constexpr xg::dim batch{"batch"};
namespace layers {
constexpr auto x = xg::input<"x", float, batch, 512>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 512, 1024>;
constexpr auto w2 = xg::variable<"w2", float, 1024, 1024>;
constexpr auto w3 = xg::variable<"w3", float, 1024, 512>;
constexpr auto w4 = xg::variable<"w4", float, 512, 10>;
constexpr auto hidden = xg::relu(xg::matmul(xg::relu(xg::matmul(xg::relu(xg::matmul(x, w1)), w2)), w3));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, w4), y));

/// What one worker computes with in every step.
struct data {
    std::vector<float> images;
    std::vector<std::int32_t> labels;
    data(std::size_t rows, std::size_t worker) : images(rows * 512), labels(rows) {
        for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>((i * 7919 + worker * 104729) % 1000) / 1000;
        for (std::size_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>((i * 31 + worker * 7) % 10);
    }
    void operator()(auto& worker) const { worker(x = xg::array(images.data(), labels.size(), 512), y = labels); }
};
auto start() {
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 1e-3f});
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train;
}
}   // namespace layers

namespace tables {
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 20>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 1'000'000, 16>;
constexpr auto w = xg::variable<"w", float, 16, 10>;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(xg::embedding_bag(table, ids), w), y));

struct data {
    std::vector<std::int32_t> rows, labels;
    data(std::size_t examples, std::size_t worker) : rows(examples * 20), labels(examples) {
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>((i * 48271 + worker * 16807) % 1'000'000);
        for (std::size_t i = 0; i < examples; ++i) labels[i] = static_cast<std::int32_t>((i * 31 + worker * 7) % 10);
    }
    void operator()(auto& worker) const { worker(ids = xg::array(rows.data(), labels.size(), 20), y = labels); }
};
auto start(auto const& rule) {
    auto train = xg::minimize<xg::gating::graph>(loss, rule);
    train.initialize(xg::glorot_uniform{.seed = 1});
    return train;
}
}   // namespace tables

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}

/// The seconds of a step of rank 0.
template<class Replicas, class Data>
double sample(Replicas& replicas, Data const& data, int steps) {
    double spent = 0;
    replicas.run([&](auto& worker) {
        for (int s = 0; s < warm; ++s) data(worker);
        auto const from = clock_type::now();
        for (int s = 0; s < steps; ++s) data(worker);
        spent = std::chrono::duration<double>(clock_type::now() - from).count() / steps;
        data(worker);   // no worker ends while others are timed
    });
    return spent;
}

struct pair {
    std::vector<double> a, b;
    void print(char const* name) const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(b[i] / a[i]);
        std::printf("| %s | %.3f | %.3f | %.3f | %.3f |\n", name, 1e3 * median(a), 1e3 * median(b), median(ratios),
            *std::min_element(b.begin(), b.end()) / *std::min_element(a.begin(), a.end()));
    }
};

template<class A, class B, class Data>
pair alternate(A& a, B& b, Data const& data, int rounds, int steps) {
    pair p;
    sample(a, data, 2);
    sample(b, data, 2);
    for (int k = 0; k < rounds; ++k)
        for (int s = 0; s < 2; ++s) {
            bool const first = (k + s) % 2 == 0;
            (first ? p.a : p.b).push_back(first ? sample(a, data, steps) : sample(b, data, steps));
        }
    return p;
}

/// One rank of all.
template<class T>
void measure(T& transport, int rounds) {
    auto const me = static_cast<std::size_t>(transport.rank());
    for (std::size_t const rows : {32u, 128u, 512u}) {
        layers::data const data(rows, me);
        auto one = layers::start(), several = layers::start();
        xg::sync_replicas a(one, transport, {.initial_tokens = 0, .message_bytes = std::numeric_limits<std::size_t>::max()}),
            b(several, transport, {.initial_tokens = 0});
        pair const p = alternate(a, b, data, rounds, rows < 128 ? 16 : rows < 512 ? 8 : 4);
        if (one.value(layers::w2)(3, 4) != several.value(layers::w2)(3, 4)) {
            std::fprintf(stderr, "both sides differ\n");
            std::exit(1);
        }
        if (me == 0) p.print(("layers, " + std::to_string(rows) + " rows: one message, several").c_str());
    }
    tables::data const data(128, me);
    auto all = tables::start(xg::adam{.learning_rate = 1e-3f});
    auto rows = tables::start(xg::lazy_adam{.learning_rate = 1e-3f});
    xg::sync_replicas a(all, transport, {.initial_tokens = 0}), b(rows, transport, {.initial_tokens = 0});
    pair const p = alternate(a, b, data, rounds, 8);
    if (me == 0) p.print("table: adam, which moves all rows, lazy_adam");
}

}   // namespace

int main(int argc, char** argv) {
    int rounds = 15;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string const option = argv[i];
        if (option == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
        else if (option != "--json") {
            std::fprintf(stderr, "usage: %s [--rounds N]\n", argv[0]);
            return 2;
        }
    }
#if XGRAD_BENCH_MPI
    xg::mpi all;
    if (all.size() != ranks) {
        if (all.rank() == 0) std::fprintf(stderr, "mpirun -n %d\n", ranks);
        return 2;
    }
    if (all.rank() == 0) std::printf("| a step of rank 0 | ms | ms | second / first | of the fastest |\n|---|---|---|---|---|\n");
    measure(all, rounds);
#else
    std::printf("| a step of rank 0 | ms | ms | second / first | of the fastest |\n|---|---|---|---|---|\n");
    xg::thread_network network(ranks);
    std::vector<std::jthread> threads;
    for (int k = 0; k < ranks; ++k)
        threads.emplace_back([&, k] {
            auto mine = network.rank(k);
            measure(mine, rounds);
        });
#endif
}
