// SPDX-License-Identifier: MIT
// Command line of the training program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace examples {

struct training_options {
    static constexpr int most_epochs = 100000;
    static constexpr std::uint64_t largest_seed = 4294967295;
    static constexpr std::size_t largest_batch = 100000;
    int epochs = 20;
    std::uint64_t seed = 1;
    std::size_t batch = 40;
    int seeds = 1;                  // more than one: seeds 1 ... seeds, and their mean
    std::filesystem::path data;     // folder of train.csv and test.csv
    std::filesystem::path output;   // folder for model, checkpoint and plots
    std::filesystem::path resume;   // empty: start anew
    int save_every = 1;             // epochs; 0: never
    std::int64_t stop_after = 0;    // steps; 0: never
    bool quiet = false;
    bool check = false;
    bool epochs_given = false, seed_given = false, batch_given = false;
};

/// Options, or the exit code that a wrong command line or --help ends with.
struct parsed_options {
    training_options options;
    std::optional<int> exit_code;
};
parsed_options parse_options(int count, char** arguments);

}   // namespace examples
