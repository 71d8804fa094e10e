// SPDX-License-Identifier: MIT
// Trains wide & deep on UCI Adult and compares the result with TensorFlow's.
#include <adult/adult_data.hpp>
#include <support/stop_flag.hpp>
#include <support/table.hpp>
#include <wide_and_deep/model.hpp>
#include <wide_and_deep/options.hpp>
#include <wide_and_deep/report.hpp>
#include <wide_and_deep/training.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace examples;

enum exit_code { good = 0, failed = 1, differs = 3, stopped = 130 };

// Continues with what the checkpoint says; a contradiction on the command line is an error, more epochs are not.
training_state resume(wide_and_deep_model& model, dataset const& data, training_options const& options) {
    training_state state = training_state::from_metadata(model.load(options.resume), data);
    std::string const file = options.resume.string();
    if (options.seed_given && options.seed != state.seed)
        throw input_error(file + " was trained with seed " + std::to_string(state.seed) + ", --seed says " + std::to_string(options.seed));
    if (options.batch_given && options.batch != state.batch)
        throw input_error(
            file + " was trained with batches of " + std::to_string(state.batch) + ", --batch says " + std::to_string(options.batch));
    if (options.epochs_given) state.epochs = options.epochs;
    if (state.epoch > state.epochs || (state.epoch == state.epochs && state.position > 0))
        throw input_error(file + " has more epochs behind it than the " + std::to_string(state.epochs) + " wanted");
    if (state.epoch == state.epochs)
        throw input_error(file + " is trained to its end; --epochs N with N > " + std::to_string(state.epochs) + " trains it further");
    return state;
}

// Called before training, so that hours of it do not end in this error.
void make_folder(std::filesystem::path const& folder) {
    std::filesystem::create_directories(folder);
    auto const probe = folder / ".written";
    if (!std::ofstream(probe)) throw input_error(folder.string() + ": no file can be written into this folder");
    std::filesystem::remove(probe);
}

int run(training_options const& options) {
    catch_stop_signals();
    dataset const data = read_dataset(options.data);
    if (stop_requested() != 0) {
        std::printf("stopped while the data were read; nothing has been trained\n");
        return 128 + stop_requested();
    }
    std::vector<run_report> reports;
    for (int k = 0; k < options.seeds; ++k) {
        training_state state;
        state.seed = options.seeds > 1 ? static_cast<std::uint64_t>(k + 1) : options.seed;
        state.batch = options.batch;
        state.epochs = options.epochs;
        wide_and_deep_model model(state.seed);
        if (!options.resume.empty()) state = resume(model, data, options);
        make_folder(options.output);   // after everything that can be wrong with the input

        if (!options.quiet && k == 0)
            std::printf("UCI Adult: %zu rows to train, %zu to test\n17 wide ids of %d, 8 embeddings, 5 numbers\n%s\n", data.train.size(),
                data.test.size(), static_cast<int>(wide_and_deep_model::wide_size), wrapped(model.plan_summary(), 79, 11).c_str());
        if (!options.quiet && options.seeds > 1) std::printf("\nseed %d\n", k + 1);
        if (!options.quiet && !options.resume.empty())
            std::printf("resuming %s: %d epochs and %zu rows are done\n", options.resume.string().c_str(), state.epoch, state.position);
        run_result result = train(model, data, state, options);
        if (!result.finished) {
            auto const checkpoint = checkpoint_of(options);
            model.save(checkpoint, state.to_metadata(data));
            std::printf("\nstopped after %lld steps; %s holds everything. To continue:\n    --resume %s\n",
                static_cast<long long>(model.steps()), checkpoint.string().c_str(), checkpoint.string().c_str());
            return stop_requested() != 0 ? 128 + stop_requested() : stopped;
        }
        if (k == 0) model.save(options.output / "model.safetensors", state.to_metadata(data));
        reports.push_back({std::move(state), std::move(result)});
    }
    bool const close = options.seeds > 1 ? print_report(reports) : print_report(reports[0], !options.resume.empty());
    std::printf("wrote %s\n", (options.output / "model.safetensors").string().c_str());
    write_plots(options.output, reports[0], data);
    return options.check && !close ? differs : good;
}

}   // namespace

int main(int count, char** arguments) {
    auto const [options, exit_code] = examples::parse_options(count, arguments);
    if (exit_code) return *exit_code;
    try {
        int const code = run(options);
        return std::fflush(stdout) != 0 || std::ferror(stdout) ? failed : code;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "wide_and_deep: %s\n", e.what());
        return failed;
    }
}
