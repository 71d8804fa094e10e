// SPDX-License-Identifier: MIT
// Command line of the training program, by CLI11.
#include <wide_and_deep/options.hpp>

#include <CLI/CLI.hpp>

#include <limits>

namespace examples {

parsed_options parse_options(int count, char** arguments) {
    training_options o;
    o.data = XGRAD_EXAMPLE_DATA "/adult";
    o.output = "wide_and_deep_results";
    CLI::App app("Trains wide & deep on UCI Adult: Ftrl for the sparse wide part, Adagrad for embeddings and layers, in one step.\n"
                 "Ctrl-C saves a checkpoint that --resume continues to the same bits.");
    auto* const epochs =
        app.add_option("--epochs", o.epochs, "how often all rows are visited")->check(CLI::Range(1, o.most_epochs))->capture_default_str();
    auto* const seed = app.add_option("--seed", o.seed, "seed of initial values and order of rows")
                           ->check(CLI::Range(std::uint64_t{0}, o.largest_seed))
                           ->capture_default_str();
    auto* const batch =
        app.add_option("--batch", o.batch, "rows of one step")->check(CLI::Range(std::size_t{1}, o.largest_batch))->capture_default_str();
    auto* const seeds = app.add_option("--seeds", o.seeds, "train with seeds 1 to N and report their mean; keeps the model of seed 1")
                            ->check(CLI::Range(1, 1000))
                            ->capture_default_str();
    app.add_option("--data", o.data, "folder of train.csv and test.csv")->capture_default_str();
    app.add_option("--output", o.output, "folder for model and plots, made if it is not there")->capture_default_str();
    auto* const resume = app.add_option("--resume", o.resume, "continue from this checkpoint or model");
    app.add_option(
           "--save-every", o.save_every, "write a checkpoint behind so many epochs, in case the machine ends; 0: only when it is stopped")
        ->check(CLI::Range(0, o.most_epochs))
        ->capture_default_str();
    app.add_option("--stop-after", o.stop_after, "stop after so many steps of this run, as Ctrl-C would; 0: never")
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
    app.add_flag("--quiet", o.quiet, "only the final table");
    app.add_flag("--check", o.check, "exit with 3 if the result is further from TensorFlow's than rounding explains");
    seeds->excludes(seed)->excludes(resume);
    try {
        app.parse(count, arguments);
    } catch (CLI::ParseError const& e) { return {o, app.exit(e)}; }
    o.epochs_given = epochs->count() > 0;
    o.seed_given = seed->count() > 0;
    o.batch_given = batch->count() > 0;
    return {o, std::nullopt};
}

}   // namespace examples
