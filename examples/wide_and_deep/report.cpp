// SPDX-License-Identifier: MIT
// The final tables and plots of the training program.
#include <wide_and_deep/report.hpp>

#include <support/plot.hpp>
#include <support/table.hpp>
#include <wide_and_deep/reference.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace examples {

namespace {

bool same_recipe(training_state const& s) { return s.batch == reference::batch && s.epochs == reference::epochs; }

struct statistics {
    double mean = 0, sd = 0;
    template<class Value>
    statistics(std::vector<run_report> const& runs, Value value) {
        double const n = static_cast<double>(runs.size());
        for (run_report const& r : runs) mean += value(r) / n;
        for (run_report const& r : runs) sd += (value(r) - mean) * (value(r) - mean);
        sd = runs.size() > 1 ? std::sqrt(sd / (n - 1)) : 0;
    }
};

double accuracy(run_report const& r) { return r.state.history.back().test.accuracy; }
double auc(run_report const& r) { return r.state.history.back().test.auc; }
double log_loss(run_report const& r) { return r.state.history.back().test.log_loss; }
double nonzero(run_report const& r) { return static_cast<double>(r.result.nonzero); }

}   // namespace

bool print_report(run_report const& run, bool resumed) {
    training_state const& s = run.state;
    bool good = true;
    bool const comparable = s.seed == reference::seed && same_recipe(s);
    text_table table(comparable ? std::vector<std::string>{"", "xgrad", "TensorFlow", "difference", "allowed", ""}
                                : std::vector<std::string>{"", "xgrad"});
    auto const add = [&](char const* name, double value, reference::figure const& f) {
        int const digits = f.tolerance >= 1 ? 0 : 5;
        bool const close = std::abs(value - f.seed1) <= f.tolerance;
        good = good && close;
        table.add({name, format("%.*f", digits, value), format("%.*f", digits, f.seed1), format("%+.*f", digits, value - f.seed1),
            format("%g", f.tolerance), close ? "ok" : "TOO FAR"});
    };
    if (comparable) {
        double largest = 0;
        for (std::size_t e = 0; e < s.history.size(); ++e) largest = std::max(largest, std::abs(s.history[e].loss - reference::losses[e]));
        good = largest <= reference::loss_tolerance;
        table.add({"training loss, last epoch", format("%.6f", s.history.back().loss), format("%.6f", reference::losses.back()),
            format("%+.6f", s.history.back().loss - reference::losses.back()), "", ""});
        table.add({"training loss, any epoch", "", "", format("%.6f", largest), format("%g", reference::loss_tolerance),
            good ? "ok" : "TOO FAR"});
        add("test accuracy", accuracy(run), reference::accuracy);
        add("test AUC", auc(run), reference::auc);
        add("test log loss", log_loss(run), reference::log_loss);
        add("wide weights not zero", nonzero(run), reference::nonzero);
        table.add({resumed ? "seconds since the resume" : "seconds of training", format("%.2f", run.result.seconds),
            format("about %.0f", reference::seconds), resumed ? "" : format("%.1f x", reference::seconds / run.result.seconds),
            resumed ? "" : format("%.0f s", reference::seconds_bound),
            resumed                                          ? ""
            : run.result.seconds <= reference::seconds_bound ? "ok"
                                                             : "slow"});
    } else {
        table.add({"training loss, last epoch", format("%.6f", s.history.back().loss)});
        table.add({"test accuracy", format("%.5f", accuracy(run))});
        table.add({"test AUC", format("%.5f", auc(run))});
        table.add({"test log loss", format("%.5f", log_loss(run))});
        table.add({"wide weights not zero", format("%zu", run.result.nonzero)});
        table.add({"seconds of training", format("%.2f", run.result.seconds)});
    }
    std::printf("\n%s\n", table.text().c_str());
    if (comparable)
        std::puts("TensorFlow 2.21, CPU, one thread, the same recipe and seed. Allowed is what\n"
                  "rounding makes of it in a second implementation, in NumPy, with some room.");
    return good;
}

bool print_report(std::vector<run_report> const& runs) {
    bool const comparable = same_recipe(runs[0].state);
    bool const enough = comparable && runs.size() >= 5;   // the bounds are for the mean of five seeds
    bool good = true;
    text_table table({std::string("mean of ") + std::to_string(runs.size()) + " seeds", "xgrad", "TensorFlow, of 5", "must be", ""});
    auto const add = [&](char const* name, int digits, statistics const& s, reference::figure const& f, bool upper) {
        bool const bounded = f.bound > 0 && enough;
        bool const reached = upper ? s.mean <= f.bound : s.mean >= f.bound;
        good = good && (!bounded || reached);
        table.add({name, format("%.*f +- %.*f", digits, s.mean, digits, s.sd),
            comparable ? format("%.*f +- %.*f", digits, f.mean, digits, f.sd) : "",
            bounded ? format("%s %.3f", upper ? "<=" : ">=", f.bound) : "", bounded ? (reached ? "ok" : "MISSED") : ""});
    };
    add("test accuracy", 4, {runs, accuracy}, reference::accuracy, false);
    add("test AUC", 4, {runs, auc}, reference::auc, false);
    add("test log loss", 4, {runs, log_loss}, reference::log_loss, true);
    add("wide weights not zero", 0, {runs, nonzero}, reference::nonzero, false);
    table.add({"seconds of training", format("%.2f", statistics(runs, [](run_report const& r) { return r.result.seconds; }).mean),
        comparable ? format("about %.0f", reference::seconds) : "", "", ""});
    std::printf("\n%s\n", table.text().c_str());
    return good;
}

void write_plots(std::filesystem::path const& folder, run_report const& run, dataset const& data) {
    plot_line training{"xgrad, training", {}}, test{"xgrad, test", {}};
    plot_line tensorflow_training{"TensorFlow, training", {}, plot_look::dots}, tensorflow_test{"TensorFlow, test", {}, plot_look::dots};
    for (std::size_t e = 0; e < run.state.history.size(); ++e) {
        double const x = static_cast<double>(e + 1);
        training.points.emplace_back(x, run.state.history[e].loss);
        test.points.emplace_back(x, run.state.history[e].test.log_loss);
        if (e >= reference::losses.size()) continue;
        tensorflow_training.points.emplace_back(x, reference::losses[e]);
        tensorflow_test.points.emplace_back(x, reference::test_losses[e]);
    }
    plot curve{.title = "Wide & deep on UCI Adult: loss of each epoch",
        .x_label = "epoch",
        .y_label = "mean cross-entropy, nats",
        .y_tics = "%.2f",
        .lines = {training, test}};
    if (run.state.seed == reference::seed && run.state.batch == reference::batch)
        curve.lines.insert(curve.lines.end(), {tensorflow_training, tensorflow_test});
    plot const roc{.title = "Wide & deep on UCI Adult: ROC of the test rows",
        .x_label = "share of incomes ≤ 50K that raise an alarm",
        .y_label = "share of incomes > 50K that are found",
        .x_tics = "%.1f",
        .y_tics = "%.1f",
        .square = true,
        .note = format("AUC %.4f", auc(run)),
        .lines = {{"chance", {{0, 0}, {1, 1}}, plot_look::thin}, {"xgrad", roc_curve(run.result.logits, data.test.label)}}};
    for (auto const& [name, p] : {std::pair<char const*, plot const&>("learning_curve.svg", curve), {"roc.svg", roc}}) {
        std::string const sentence = write_svg(folder / name, p);
        std::printf("%s\n", sentence.empty() ? ("wrote " + (folder / name).string()).c_str() : sentence.c_str());
    }
}

}   // namespace examples
