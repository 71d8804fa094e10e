// SPDX-License-Identifier: MIT
// Does it matter how many workers train a model? Trains wide & deep on Adult and a network on Fashion-MNIST with five seeds each.
// All runs have the same number of rows in all updates. Their quality on the test rows is compared with that of one worker.
// Backup workers where a worker is slow: the time until a quality is reached, simulated and by the clock.
// local.cpp has the same for workers that take local steps.
#include <replicas_study/tables.hpp>

#include <support/error.hpp>
#include <support/fashion_mnist.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <utility>

namespace {

using namespace examples;
using namespace examples::study;

enum exit_code { good = 0, failed = 1, differs = 3, skipped = 77 };

/// A row of the table of qualities.
struct compared {
    char const *name, *method;
    setting how;
};
std::vector<compared> const& all_compared() {
    using namespace std::chrono_literals;
    static std::vector<compared> const all = {
        {"one worker", "one worker", {}},   // what the others are compared with
        {"synchronous", "synchronous", {.workers = 2}},
        {"synchronous", "synchronous", {.workers = 4}},
        {"synchronous", "synchronous", {.workers = 8}},
        {"as TensorFlow, variable by variable", "variable by variable", {.workers = 4}},
        {"one backup worker", "synchronous", {.workers = 3, .backup = 1}},
        {"one backup worker", "synchronous", {.workers = 5, .backup = 1}},
        {"one backup worker, one worker sleeps", "synchronous", {.workers = 5, .backup = 1, .sleep = 2ms}},
    };
    return all;
}

void compare_qualities(task const& t, options const& o) {
    int const updates = updates_of(t, o);
    std::printf(
        "\n%s: %s after %d updates of %zu rows, mean of %d seeds\n\n", t.name.c_str(), t.measure.c_str(), updates, t.batch, o.seeds);
    text_table table({"", "workers", "mean", "deviation", "from one worker", "in its deviations", "too old"});
    sample of_one;
    for (compared const& m : all_compared()) {
        sample found;
        std::int64_t steps = 0, dropped = 0;
        for (int seed = 1; seed <= o.seeds; ++seed) {
            setting s = m.how;
            s.seed = static_cast<std::uint64_t>(seed);
            s.batch = t.batch;
            s.updates = updates;
            outcome const one = t.methods.at(m.method)(s);
            found.values.push_back(one.quality);
            for (auto const& w : one.report.workers) {
                steps += w.steps;
                dropped += w.dropped;
            }
        }
        if (of_one.values.empty()) of_one = found;
        double const distance = found.mean() - of_one.mean(), unit = of_one.deviation();
        table.add({m.name, std::to_string(m.how.workers), format("%.4f", found.mean()), format("%.4f", found.deviation()),
            format("%+.4f", distance), unit > 0 ? format("%+.2f%s", distance / unit, std::abs(distance) <= 2 * unit ? "" : " (!)") : "-",
            steps > 0 ? format("%.1f %%", 100 * static_cast<double>(dropped) / static_cast<double>(steps)) : "-"});
    }
    std::fputs(table.text().c_str(), stdout);
    std::fflush(stdout);   // a run takes minutes
}

constexpr std::pair<int, int> crews[] = {{4, 0}, {5, 1}, {6, 2}};   // workers, backup workers

void compare_times(task const& t, options const& o) {
    double const wanted = o.full ? t.wanted : t.quick_wanted;
    std::printf("\n%s: simulated time to %s %.3f, in steps of a worker, mean of %d seeds; four gradients make an update\n\n",
        t.name.c_str(), t.measure.c_str(), wanted, o.seeds);
    text_table table({"steps", "workers", "backup", "time", "deviation", "of that without", "updates", "steps per update", "too old"});
    for (scene const& place : scenes) {
        double without = 0;
        for (auto const& [workers, backup] : crews) {
            sample times, updates, paces;
            std::int64_t steps = 0, dropped = 0;
            for (int seed = 1; seed <= o.seeds; ++seed) {
                timing when = place.when;
                when.every = o.full ? 50 : 20;
                when.until = wanted;
                setting const s{.workers = workers,
                    .backup = backup,
                    .seed = static_cast<std::uint64_t>(seed),
                    .batch = t.batch,
                    .updates = updates_of(t, o)};
                curve const c = t.in_simulated_time(s, when);
                times.values.push_back(time_to(c, wanted));
                updates.values.push_back(static_cast<double>(c.report.updates));
                paces.values.push_back(c.report.seconds / static_cast<double>(c.report.updates));
                for (auto const& w : c.report.workers) {
                    steps += w.steps;
                    dropped += w.dropped;
                }
            }
            if (backup == 0) without = times.mean();
            table.add({place.name, std::to_string(workers), std::to_string(backup),
                std::isnan(times.mean()) ? "not reached" : format("%.0f", times.mean()), format("%.0f", times.deviation()),
                format("%.2f", times.mean() / without), format("%.0f", updates.mean()), format("%.2f", paces.mean()),
                format("%.1f %%", 100 * static_cast<double>(dropped) / static_cast<double>(steps))});
        }
    }
    std::fputs(table.text().c_str(), stdout);
    std::fflush(stdout);   // a run takes minutes
}

/// Workers that sleep, as if each had its own machine.
void compare_seconds(task const& t, options const& o) {
    constexpr std::chrono::microseconds unit{10000};
    std::printf("\n%s: seconds to %s %.3f, mean of %d seeds; four gradients make an update, and a step sleeps %.0f ms on average\n\n",
        t.name.c_str(), t.measure.c_str(), t.quick_wanted, o.seeds, static_cast<double>(unit.count()) / 1000);
    text_table table({"steps", "workers", "backup", "seconds", "deviation", "of that without", "updates"});
    for (scene const& place : scenes) {
        double without = 0;
        for (auto const& [workers, backup] : crews) {
            sample times, updates;
            for (int seed = 1; seed <= o.seeds; ++seed) {
                timing when = place.when;
                when.every = 20;
                when.until = t.quick_wanted;
                setting const s{.workers = workers,
                    .backup = backup,
                    .seed = static_cast<std::uint64_t>(seed),
                    .batch = t.batch,
                    .updates = updates_of(t, o)};
                curve const c = t.by_the_clock(s, when, unit);
                times.values.push_back(time_to(c, when.until));
                updates.values.push_back(static_cast<double>(c.points.back().updates));
            }
            if (backup == 0) without = times.mean();
            table.add({place.name, std::to_string(workers), std::to_string(backup),
                std::isnan(times.mean()) ? "not reached" : format("%.2f", times.mean()), format("%.2f", times.deviation()),
                format("%.2f", times.mean() / without), format("%.0f", updates.mean())});
        }
    }
    std::fputs(table.text().c_str(), stdout);
    std::fflush(stdout);
}

/// What theory says, in a minute. The same rows in an update give the same model, whichever worker has computed them.
/// Backup workers keep the pace where one worker is slow.
bool check(task const& t, bool by_rows) {
    bool right = true;
    auto const expect = [&](bool is, std::string const& what) {
        if (!is) std::printf("%s: wrong: %s\n", t.name.c_str(), what.c_str());
        right = right && is;
    };
    int const updates = 240;
    setting const one{.seed = 1, .batch = t.batch, .updates = updates};
    double const alone = t.methods.at("one worker")(one).quality;
    // rows of tables are averaged over the workers that have them: as good, but not the same
    double const tolerance = by_rows ? .02 : .01, other_rows = .03;   // of those whose updates have other rows
    for (int const workers : {2, 4}) {
        setting s = one;
        s.workers = workers;
        outcome const o = t.methods.at("synchronous")(s);
        expect(std::abs(o.quality - alone) <= tolerance,
            format("%s of %d workers %.4f, of one %.4f", t.measure.c_str(), workers, o.quality, alone));
        expect(o.report.updates == updates && o.report.left == 0, format("%d updates of %d workers", updates, workers));
        for (auto const& w : o.report.workers)
            expect(w.steps == updates && w.dropped == 0, "each worker gives one gradient for each update");
    }
    setting by_variable = one;
    by_variable.workers = 4;
    double const faithful = t.methods.at("variable by variable")(by_variable).quality;
    expect(std::abs(faithful - alone) <= tolerance,
        format("%s of 4 workers, variable by variable, %.4f, of one %.4f", t.measure.c_str(), faithful, alone));
    setting backed = one;
    backed.workers = 5;
    backed.backup = 1;
    // Who comes late depends on the machine, and one run of fifty is too far from one worker; their mean is not.
    sample found;
    for (int k = 0; k < 7; ++k) {
        outcome const o = t.methods.at("synchronous")(backed);
        found.values.push_back(o.quality);
        std::int64_t accepted = 0;
        for (auto const& w : o.report.workers) accepted += w.accepted;
        expect(accepted >= 4 * o.report.updates + o.report.left, "an update takes four gradients or more");
    }
    expect(std::abs(found.mean() - alone) <= other_rows,
        format("%s with a backup worker %.4f, of one %.4f", t.measure.c_str(), found.mean(), alone));

    timing const slow{.slow = 4, .spread = .1, .every = updates};
    setting plain = one;
    plain.workers = 4;
    curve const without = t.in_simulated_time(plain, slow), with = t.in_simulated_time(backed, slow);
    expect(std::abs(without.points.back().quality - alone) <= tolerance, "simulated replicas train as replicas in threads");
    expect(with.report.seconds < .4 * without.report.seconds,
        format("simulated time %.0f with a backup worker, %.0f without", with.report.seconds, without.report.seconds));
    expect(with.points.back().quality > alone - other_rows, "backup workers cost no quality");
    curve const again = t.in_simulated_time(backed, slow);
    expect(again.report.seconds == with.report.seconds && again.points.back().quality == with.points.back().quality,
        "a simulation depends on its seed alone");
    backed.updates = 40;
    curve const clock = t.by_the_clock(backed, {.every = 20}, std::chrono::microseconds(10));
    expect(clock.points.size() == 2 && clock.report.updates >= 40, "40 updates by the clock");
    std::printf("%s: %s %.4f of one worker, simulated time %.0f without and %.0f with a backup worker\n", t.name.c_str(), t.measure.c_str(),
        alone, without.report.seconds, with.report.seconds);
    return right;
}

int run(options const& o) {
    std::vector<std::pair<task, bool>> tasks;   // and whether its gradients have rows
    bool fashion = false;
    if (o.only != "fashion") tasks.emplace_back(make_adult(o.data), true);
    if (o.only != "adult") {
        if (std::string const missing = fashion_mnist_missing(); missing.empty()) {
            tasks.emplace_back(make_fashion(), false);
            fashion = true;
        } else if (o.only == "fashion") {
            std::printf("skipped: %s\n", missing.c_str());
            return skipped;
        } else std::printf("without Fashion-MNIST: %s\n", missing.c_str());
    }
    for (auto const& [t, by_rows] : tasks) {
        if (o.check) {
            if (!check(t, by_rows) || !check_local(t, by_rows)) return differs;
            continue;
        }
        if (o.part.empty() || o.part == "synchronous") {
            compare_qualities(t, o);
            compare_times(t, o);
        }
        if (o.part.empty() || o.part == "clock") compare_seconds(t, o);
        if (o.part.empty() || o.part == "local") {
            compare_local_qualities(t, o);
            compare_local_times(t, o);
        }
    }
    if (!fashion) return good;
    task const descent = make_fashion_descent();
    if (o.check) return check_growth(descent) ? good : differs;
    if (o.part.empty() || o.part == "local") compare_growth(descent, o);
    return good;
}

}   // namespace

int main(int count, char** arguments) {
    options o;
    CLI::App app("Trains two models with one worker and with several, and compares what comes out. One epoch without --full.");
    app.add_option("--data", o.data, "folder of Adult's train.csv and test.csv")->capture_default_str();
    app.add_option("--task", o.only, "only this one")->check(CLI::IsMember({"adult", "fashion"}));
    app.add_option("--part", o.part, "only these methods")->check(CLI::IsMember({"synchronous", "clock", "local"}));
    app.add_option("--seeds", o.seeds, "train with seeds 1 to N")->check(CLI::Range(1, 1000))->capture_default_str();
    app.add_option("--epochs", o.epochs, "epochs of all runs")->check(CLI::Range(1, 1000));
    app.add_flag("--full", o.full, "as many epochs as the recipes have: some minutes");
    app.add_flag("--check", o.check, "a short run, which exits with 3 if what theory promises does not hold");
    CLI11_PARSE(app, count, arguments);
    try {
        return run(o);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "replicas_study: %s\n", e.what());
        return failed;
    }
}
