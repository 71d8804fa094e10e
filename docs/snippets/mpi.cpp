// SPDX-License-Identifier: MIT
// The code of docs/replicas.md about MPI. Without a launcher it is one rank.
#include "one_layer.hpp"

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/replicas.hpp>
#include <xgrad/transport/collectives.hpp>
#include <xgrad/transport/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

using namespace std::chrono_literals;

static void ranks() {
    constexpr std::int64_t rows = 12;
    std::vector<float> features(rows * 8, .5f), labels(rows);
    // [mpi]
    xg::mpi ranks;
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    auto replicas = xg::sync_replicas(train, ranks, {.initial_tokens = 0, .deadline = 60s});
    auto const report = replicas.run([&](auto& worker) {
        for (auto const row : xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 7}))
            worker(model::x = xg::array(&features[row * 8], 1, 8), model::y = xg::array(&labels[row], 1));
    });
    if (ranks.rank() == 0) xg::save(train, "model.safetensors");
    // [/mpi]
    CHECK(report.updates == train.global_step() && report.updates > 0);
}

static void local_steps() {
    constexpr std::int64_t rows = 40;
    std::vector<float> features(rows * 8, .5f), labels(rows);
    xg::mpi ranks;
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    // [local_steps]
    auto replicas = xg::agn(train, ranks, {.period = 10, .deadline = 60s});
    auto const report = replicas.run([&](auto& worker) {
        for (auto const row : xg::shard(rows, {.worker = worker.index(), .workers = worker.count(), .seed = 7}))
            worker(model::x = xg::array(&features[row * 8], 1, 8), model::y = xg::array(&labels[row], 1));
    });
    // [/local_steps]
    CHECK(report.updates == train.global_step() && (report.updates == 4 || ranks.size() > 1));
}

static void going_on() {
    float const features[8] = {1, 2, 3}, labels[1] = {1};
    std::string const path = "going_on.safetensors";
    std::filesystem::remove(path);
    constexpr std::int64_t steps = 10;
    xg::mpi ranks;
    // [going_on]
    auto train = xg::minimize<xg::gating::graph>(model::loss, xg::adam{.learning_rate = 0.05f});
    if (ranks.rank() == 0 && std::filesystem::exists(path)) xg::restore(train, path);
    std::int64_t first = train.global_step();
    xg::collectives(ranks).broadcast(0, std::as_writable_bytes(std::span(&first, 1)));
    auto replicas = xg::sync_replicas(train, ranks, {.initial_tokens = 0, .on_update = [&](std::int64_t step) {
        if (step % 5 == 0) xg::save(train, path);           // in rank 0: whole updates; the file is replaced atomically
    }});
    replicas.run([&](auto& worker) {
        for (std::int64_t step = first; step < steps; ++step)   // the rows of a step depend only on its number
            worker(model::x = xg::array(features, 1, 8), model::y = xg::array(labels, 1));
    });
    // [/going_on]
    CHECK(train.global_step() == steps && std::filesystem::exists(path));
}

int main() {
    xg::mpi all;   // initialises MPI once for all
    ranks();
    local_steps();
    going_on();
}
