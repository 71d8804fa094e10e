// SPDX-License-Identifier: MIT
// The training run: batches in the recipe's order, test metrics after each epoch, a state that survives a stop.
#include <wide_and_deep/training.hpp>

#include <support/progress.hpp>
#include <support/recipe_random.hpp>
#include <support/stop_flag.hpp>
#include <support/table.hpp>
#include <wide_and_deep/reference.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace examples {

namespace {

// The rows of one batch, copied side by side.
class batch_buffer {
public:
    explicit batch_buffer(std::size_t capacity)
        : label_(capacity), wide_(capacity * adult::wide_columns), ids_(capacity * adult::categories), dense_(capacity * adult::numbers) {}

    row_block gather(adult::table const& from, std::uint32_t const* rows, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t const r = rows[i];
            label_[i] = from.label[r];
            copy(from.wide, wide_, r, i, adult::wide_columns);
            copy(from.ids, ids_, r, i, adult::categories);
            copy(from.dense, dense_, r, i, adult::numbers);
        }
        return {label_.data(), wide_.data(), ids_.data(), dense_.data(), count};
    }

private:
    template<class T>
    static void copy(std::vector<T> const& from, std::vector<T>& to, std::size_t r, std::size_t i, std::size_t columns) {
        std::copy_n(from.data() + r * columns, columns, to.data() + i * columns);
    }
    std::vector<float> label_;
    std::vector<std::int32_t> wide_, ids_;
    std::vector<float> dense_;
};

// Within 80 columns.
void print_heading() {
    std::puts("           training           test\n"
              "  epoch    loss      less TF  accuracy  AUC     log loss   seconds");
    std::fflush(stdout);
}
void print_epoch(training_state const& state, double seconds) {
    epoch_result const& r = state.history.back();
    std::size_t const e = state.history.size();
    bool const comparable = state.seed == reference::seed && state.batch == reference::batch && e <= reference::losses.size();
    std::string const beside = comparable ? format("%+.0e", r.loss - reference::losses[e - 1]) : "-";
    std::string const number = format("%zu/%d", e, state.epochs);
    std::printf("%7s    %.6f  %7s  %.4f    %.4f  %.4f     %7.2f\n", number.c_str(), r.loss, beside.c_str(), r.test.accuracy, r.test.auc,
        r.test.log_loss, seconds);
    std::fflush(stdout);
}

}   // namespace

dataset read_dataset(std::filesystem::path const& folder) {
    dataset data;
    data.train = adult::read_training((folder / "train.csv").string(), data.learned);
    check_fits_model(data.learned);
    data.test = adult::read_rows((folder / "test.csv").string(), data.learned, adult::unknown_category::error);
    return data;
}

std::map<std::string, std::string> training_state::to_metadata(dataset const& data) const {
    auto metadata = data.learned.to_metadata();
    auto results = nlohmann::json::array();
    for (epoch_result const& r : history) results.push_back({r.loss, r.test.accuracy, r.test.auc, r.test.log_loss});
    // JSON prints a double with enough digits to read the same double again. So a resumed run continues with the same bits.
    metadata["training"] = nlohmann::json{{"seed", seed}, {"batch", batch}, {"epochs", epochs}, {"epoch", epoch}, {"position", position},
        {"loss_sum", loss_sum}, {"history", results},
        {"rows",
            data.train.size()}}.dump();
    metadata["format"] = "xgrad example wide_and_deep 1";
    return metadata;
}

training_state training_state::from_metadata(std::map<std::string, std::string> const& metadata, dataset const& data) {
    auto const entry = metadata.find("training");
    if (entry == metadata.end()) throw input_error("the checkpoint has no entry \"training\" in its metadata");
    training_state state;
    std::size_t rows = 0;
    try {
        auto const json = nlohmann::json::parse(entry->second);
        auto const whole = [&](char const* key, auto& value, auto most) {
            auto const& found = json.at(key);
            if (!found.is_number_unsigned() || found.template get<std::uint64_t>() > static_cast<std::uint64_t>(most))
                throw input_error(format("the checkpoint's metadata \"training\": \"%s\" is no number that can be meant", key));
            found.get_to(value);
        };
        whole("seed", state.seed, training_options::largest_seed);
        whole("batch", state.batch, training_options::largest_batch);
        whole("epochs", state.epochs, training_options::most_epochs);
        whole("epoch", state.epoch, training_options::most_epochs);
        whole("position", state.position, data.train.size());
        whole("rows", rows, std::numeric_limits<std::size_t>::max());
        json.at("loss_sum").get_to(state.loss_sum);
        for (auto const& r : json.at("history"))
            state.history.push_back({r.at(0).get<double>(), {r.at(1).get<double>(), r.at(2).get<double>(), r.at(3).get<double>()}});
    } catch (nlohmann::json::exception const& e) {
        throw input_error(std::string("the checkpoint's metadata \"training\" cannot be read: ") + e.what());
    }
    adult::learned const learned = adult::learned::from_metadata(metadata);
    if (rows != data.train.size() || learned.vocabulary != data.learned.vocabulary || learned.mean != data.learned.mean ||
        learned.sd != data.learned.sd)
        throw input_error("the checkpoint was made from other training rows than these");
    if (state.batch < 1 || state.history.size() != static_cast<std::size_t>(state.epoch) || state.position % state.batch != 0)
        throw input_error("the checkpoint's metadata \"training\" contradicts itself");
    return state;
}

std::filesystem::path checkpoint_of(training_options const& options) { return options.output / "checkpoint.safetensors"; }

run_result train(wide_and_deep_model& model, dataset const& data, training_state& state, training_options const& options) {
    using clock = std::chrono::steady_clock;
    std::size_t const n = data.train.size();
    auto const rows_done = [&] { return static_cast<std::size_t>(state.epoch) * n + state.position; };
    progress_bar bar(static_cast<std::size_t>(state.epochs) * n, rows_done(), !options.quiet);
    batch_buffer buffer(std::min(state.batch, n));
    run_result result;
    if (!options.quiet) print_heading();
    std::int64_t steps_left = options.stop_after > 0 ? options.stop_after : -1;
    while (state.epoch < state.epochs) {
        auto const start = clock::now();
        auto const order = order_of_rows(state.seed, static_cast<std::uint64_t>(state.epoch), n);
        std::string const label = format("epoch %d/%d", state.epoch + 1, state.epochs);
        while (state.position < n && !stop_requested() && steps_left != 0) {
            std::size_t const count = std::min(state.batch, n - state.position);
            float const loss = model.step(buffer.gather(data.train, order.data() + state.position, count));
            if (!std::isfinite(loss))
                throw input_error(format("the loss is not finite after %lld steps", static_cast<long long>(model.steps())));
            state.loss_sum += loss;
            state.position += count;
            if (steps_left > 0) --steps_left;
            bar.update(rows_done(), label.c_str(), state.loss_sum / static_cast<double>((state.position + state.batch - 1) / state.batch));
        }
        double const seconds = std::chrono::duration<double>(clock::now() - start).count();
        result.seconds += seconds;
        if (state.position < n) return result;   // stopped
        result.logits = predict_all(model, data.test);
        double const steps = static_cast<double>((n + state.batch - 1) / state.batch);
        state.history.push_back({state.loss_sum / steps, evaluate_binary(result.logits, data.test.label)});
        ++state.epoch;
        state.position = 0;
        state.loss_sum = 0;
        bar.clear();
        if (!options.quiet) print_epoch(state, seconds);
        if (options.save_every > 0 && state.epoch % options.save_every == 0 && state.epoch < state.epochs)
            model.save(checkpoint_of(options), state.to_metadata(data));
    }
    if (result.logits.empty()) result.logits = predict_all(model, data.test);
    result.nonzero = model.nonzero_wide();
    result.finished = true;
    return result;
}

}   // namespace examples
