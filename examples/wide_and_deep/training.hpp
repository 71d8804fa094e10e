// SPDX-License-Identifier: MIT
// The training run: where it is, how it continues, how it is saved and resumed.
#pragma once

#include <adult/adult_data.hpp>
#include <support/metrics.hpp>
#include <wide_and_deep/model.hpp>
#include <wide_and_deep/options.hpp>
#include <wide_and_deep/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace examples {

struct dataset {
    adult::learned learned;
    adult::table train, test;
};
/// Reads both files; input_error if they are broken or do not fit the compiled model.
dataset read_dataset(std::filesystem::path const& folder);

struct epoch_result {
    double loss = 0;   // mean over the steps of the loss before each update
    binary_metrics test;
};

/// Everything of a run that is not in the model: kept in the checkpoint's metadata.
struct training_state {
    std::uint64_t seed = 1;
    std::size_t batch = 40;
    int epochs = 20;            // in all
    int epoch = 0;              // finished
    std::size_t position = 0;   // rows of the current epoch that are done
    double loss_sum = 0;        // of the current epoch's steps
    std::vector<epoch_result> history;

    std::map<std::string, std::string> to_metadata(dataset const& data) const;
    /// input_error if an entry is missing or broken, or if the checkpoint was made from other data.
    static training_state from_metadata(std::map<std::string, std::string> const& metadata, dataset const& data);
};

struct run_result {
    bool finished = false;   // false: stopped by Ctrl-C or --stop-after
    double seconds = 0;      // of training in this run: order of rows, gathering, steps
    std::size_t nonzero = 0;
    std::vector<float> logits;   // of the test rows
};

/// Where a run is saved until it has ended.
std::filesystem::path checkpoint_of(training_options const& options);
/// Trains from `state` on. Stops between two steps when asked to; writes checkpoints between epochs.
run_result train(wide_and_deep_model& model, dataset const& data, training_state& state, training_options const& options);

}   // namespace examples
