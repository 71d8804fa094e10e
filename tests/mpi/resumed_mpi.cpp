// SPDX-License-Identifier: MIT
// Three ranks that train to a step, from the checkpoint if there is one, and are killed on the way: `resumed <folder> <seed> <steps>`.
// The seed and the number of this start choose random steps at which a rank kills itself; seed 0 kills none.
// Rank 0 saves every third step and, at the end, all bits.
#include <support/trainer_state.hpp>

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/replicas/ranks/sync_ranks.hpp>
#include <xgrad/transport/collectives.hpp>
#include <xgrad/transport/mpi.hpp>
#include <xgrad/xgrad.hpp>

#include <replicas/table_model.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace xg = xgrad;

int main(int count, char** arguments) {
    if (count != 4) return 2;
    std::filesystem::path const folder(arguments[1]);
    xg::random_key key;
    key.seed = std::strtoull(arguments[2], nullptr, 10);
    std::int64_t const steps = std::atoll(arguments[3]);
    std::string const saved = (folder / "saved.safetensors").string(), starts = (folder / "starts").string();
    xg::mpi ranks;
    auto train = test::start(xg::adam{.learning_rate = .01});
    std::int64_t numbers[2]{};   // the step, and how often this has been started
    if (ranks.rank() == 0) {
        if (std::filesystem::exists(saved)) xg::restore(train, saved);
        std::ifstream(starts) >> numbers[1];
        std::ofstream(starts) << numbers[1] + 1;
        numbers[0] = train.global_step();
    }
    xg::collectives(ranks).broadcast(0, std::as_writable_bytes(std::span(numbers)));
    key.step = static_cast<std::uint64_t>(numbers[1]);
    std::int64_t const last_to_die = 5;   // starts: then it comes to an end
    int const dies = key.seed == 0 || numbers[1] >= last_to_die ? -1 : static_cast<int>(xg::random_bits(key, 0) % 3);
    std::int64_t const dies_at = numbers[0] + xg::random_bits(key, 1) % 9;

    xg::sync_replicas replicas(train, ranks, {.initial_tokens = 0, .on_update = [&](std::int64_t step) {
                                                  if (step % 3 == 0) xg::save(train, saved);
                                              }});
    try {
        replicas.run([&](auto& worker) {
            for (std::int64_t step = numbers[0]; step < steps; ++step) {
                if (worker.index() == dies && step == dies_at) {
                    if (xg::random_bits(key, 2) % 2 == 0) std::_Exit(7);
                    std::raise(SIGKILL);
                }
                test::data(static_cast<int>(step) * worker.count() + worker.index()).call(worker);
            }
        });
    } catch (std::exception const& e) {
        std::printf("%s\n", e.what());
        std::_Exit(1);
    }
    if (ranks.rank() != 0) return 0;
    auto const all = test::state(train);
    std::ofstream(folder / "end", std::ios::binary)
        .write(reinterpret_cast<char const*>(all.data()), static_cast<std::streamsize>(all.size() * sizeof(float)));
    std::printf("start %d ended at step %d\n", static_cast<int>(numbers[1]), static_cast<int>(train.global_step()));
}
