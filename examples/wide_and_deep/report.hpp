// SPDX-License-Identifier: MIT
// The final tables and plots of the training program.
#pragma once

#include <wide_and_deep/training.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace examples {

struct run_report {
    training_state state;
    run_result result;
};

/// Prints the table for one run, with TensorFlow's figures if the recipe is the same. True if all of them are close enough, or there
/// is nothing to compare with. `resumed`: the seconds are those of a part.
bool print_report(run_report const& run, bool resumed);
/// The same for the mean over several seeds.
bool print_report(std::vector<run_report> const& runs);
/// learning_curve.svg and roc.svg; prints what was drawn, or why not.
void write_plots(std::filesystem::path const& folder, run_report const& run, dataset const& data);

}   // namespace examples
