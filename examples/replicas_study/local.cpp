// SPDX-License-Identifier: MIT
// Compares methods with local steps with one worker that computes as many gradients. Measures quality, simulated time to a quality, and
// how both change with the period and the number of workers. All is simulated event by event, so each run is one thread. As many runs as
// processors run concurrently.
#include <replicas_study/tables.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

namespace examples::study {
namespace {

/// f(0) ... f(n - 1), in some threads; rethrows what the first of them has thrown.
template<class F>
void in_threads(std::size_t n, F const& f) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr thrown;
    auto const work = [&] {
        for (std::size_t k = next++; k < n; k = next++) try {
                f(k);
            } catch (...) {
                std::lock_guard const lock(mutex);
                if (thrown == nullptr) thrown = std::current_exception();
                next = n;
            }
    };
    {
        std::vector<std::jthread> threads;
        for (unsigned k = 1; k < std::max(1u, std::thread::hardware_concurrency()); ++k) threads.emplace_back(work);
        work();
    }
    if (thrown != nullptr) std::rethrow_exception(thrown);
}

struct run {
    std::string method;   // empty: one worker
    setting how;
    timing when;
};
/// Each with seeds 1, 2, ..., in this order.
std::vector<std::vector<curve>> all_runs(task const& t, std::vector<run> const& runs, int seeds) {
    auto const n = static_cast<std::size_t>(seeds);
    std::vector<std::vector<curve>> found(runs.size(), std::vector<curve>(n));
    in_threads(runs.size() * n, [&](std::size_t k) {
        run const& r = runs[k / n];
        setting s = r.how;
        s.seed = k % n + 1;
        curve& c = found[k / n][k % n];
        if (r.method == "synchronous") c = t.in_simulated_time(s, r.when);
        else if (!r.method.empty()) c = t.local_methods.at(r.method)(s, r.when);
        else c.points.push_back({0, s.updates, t.methods.at("one worker")(s).quality});
    });
    return found;
}
sample qualities(std::vector<curve> const& curves) {
    sample s;
    for (curve const& c : curves) s.values.push_back(c.points.back().quality);
    return s;
}
double too_old(std::vector<curve> const& curves) {
    std::int64_t given = 0, dropped = 0;
    for (curve const& c : curves)
        for (auto const& w : c.report.workers) {
            given += w.accepted + w.dropped;
            dropped += w.dropped;
        }
    return static_cast<double>(dropped) / static_cast<double>(std::max<std::int64_t>(given, 1));
}

/// A row of the table of qualities.
struct compared {
    char const *name, *method;
    setting how;
    int like_one = 0;   // theory: up to this number of workers it is as good as one worker
};
std::vector<compared> const& all_compared() {
    static std::vector<compared> const all = {
        {"AGN, period 1", "AGN", {.period = 1}, 1},
        {"AGN, period 5", "AGN", {.period = 5}},
        {"AGN, period 10", "AGN", {.period = 10}},
        {"AGN, period 50", "AGN", {.period = 50}},
        {"AGN by displacement, period 1", "AGN, displacement", {.period = 1}, 1},
        {"AGN by displacement, period 10", "AGN, displacement", {.period = 10}},
        {"elastic averaging, period 10", "elastic averaging", {.period = 10, .spring = 0}},
        {"the same, ρ = α / learning rate", "elastic averaging", {.period = 10}},
        {"model averaging, period 10", "model averaging", {.period = 10}, 1},
        {"DiLoCo, period 50", "DiLoCo", {.period = 50}},
        {"Downpour, periods 1", "Downpour", {.period = 1}, 1},
        {"Downpour, periods 5", "Downpour", {.period = 5}},
        {"periods 1, at most 4 updates late", "Downpour", {.period = 1, .staleness = 4}, 1},
        {"periods 1, DC-ASGD", "Downpour", {.period = 1, .compensation = {.lambda = 2, .decay = .95}}, 1},
        {"periods 1, the largest 1 %", "Downpour, largest", {.period = 1, .fraction = .01}},
        {"Hogwild, in threads", "Hogwild", {}, 1},
    };
    return all;
}
constexpr int crews[] = {1, 2, 4, 8};
constexpr timing half_random{.slow = 1, .spread = .5, .every = 0};

}   // namespace

void compare_local_qualities(task const& t, options const& o) {
    int const updates = updates_of(t, o, t.local_epochs);
    std::vector<run> runs{{"", {.batch = t.batch, .updates = updates}, {}}};
    for (compared const& m : all_compared())
        for (int const workers : crews) {
            if (!t.local_methods.contains(m.method)) break;   // not with this rule
            run r{m.method, m.how, half_random};
            r.how.workers = workers;
            r.how.batch = t.batch;
            r.how.updates = updates;
            runs.push_back(r);
        }
    auto const found = all_runs(t, runs, o.seeds);
    sample const one = qualities(found[0]);
    std::printf("\n%s: %s after %d gradients of %zu rows in all workers together, mean of %d seeds; one worker %.4f, deviation %.4f\n\n",
        t.name.c_str(), t.measure.c_str(), updates, t.batch, o.seeds, one.mean(), one.deviation());
    text_table table({"workers", "1", "2", "4", "8", "too old"});
    std::size_t next = 1;
    for (compared const& m : all_compared()) {
        if (!t.local_methods.contains(m.method)) continue;
        std::vector<std::string> cells{m.name};
        for (int const workers : crews) {
            sample const q = qualities(found[next++]);
            bool const promised = workers <= m.like_one, kept = std::abs(q.mean() - one.mean()) <= 2 * one.deviation();
            cells.push_back(format("%.4f +- %.4f%s", q.mean(), q.deviation(), !promised ? "" : kept ? " =" : " (!)"));
        }
        cells.push_back(m.how.staleness ? format("%.0f %%", 100 * too_old(found[next - 1])) : "-");
        table.add(cells);
    }
    std::fputs(table.text().c_str(), stdout);
    std::puts(
        "\n  =: theory says as good as one worker, and the mean is within two of its deviations; (!): it is not. Too old: of 8 workers");
    std::fflush(stdout);
}

void compare_local_times(task const& t, options const& o) {
    static std::vector<compared> const all = {
        {"synchronous", "synchronous", {}},
        {"synchronous, and one backup worker", "synchronous", {.backup = 1}},
        {"AGN, period 1", "AGN", {.period = 1}},
        {"AGN, period 10", "AGN", {.period = 10}},
        {"elastic averaging, period 10", "elastic averaging", {.period = 10, .spring = 0}},
        {"model averaging, period 10", "model averaging", {.period = 10}},
        {"Downpour, periods 1", "Downpour", {.period = 1}},
    };
    constexpr int workers = 4;
    double const wanted = t.quick_wanted;
    std::vector<run> runs;
    for (compared const& m : all)
        for (scene const& place : scenes) {
            run r{m.method, m.how, place.when};
            bool const together = r.method == "synchronous";   // then an update is of four gradients
            int const gradients = together ? 1 : workers;
            r.how.workers = workers + r.how.backup;
            r.how.batch = t.batch / static_cast<std::size_t>(gradients);
            r.how.updates = gradients * updates_of(t, o, t.local_epochs);
            r.when.every = gradients * 20;
            r.when.until = wanted;
            runs.push_back(r);
        }
    auto const found = all_runs(t, runs, o.seeds);
    std::printf("\n%s: simulated time to %s %.3f of four workers with gradients of %zu rows, in steps, mean of %d seeds\n\n",
        t.name.c_str(), t.measure.c_str(), wanted, t.batch / workers, o.seeds);
    text_table table({"", scenes[0].name, scenes[1].name, scenes[2].name});
    std::size_t next = 0;
    for (compared const& m : all) {
        std::vector<std::string> cells{m.name};
        for ([[maybe_unused]] scene const& place : scenes) {
            sample times;
            for (curve const& c : found[next]) times.values.push_back(time_to(c, wanted));
            ++next;
            cells.push_back(std::isnan(times.mean()) ? "not reached" : format("%.0f +- %.0f", times.mean(), times.deviation()));
        }
        table.add(cells);
    }
    std::fputs(table.text().c_str(), stdout);
    std::fflush(stdout);
}

void compare_growth(task const& t, options const& o) {
    constexpr int periods[] = {1, 5, 10, 20, 50}, many[] = {1, 2, 4, 8, 16};
    int const updates = updates_of(t, o, t.local_epochs), seeds = std::min(o.seeds, 3);
    for (auto const& [method, name] :
        {std::pair{"AGN", "means of gradients (AGN)"}, std::pair{"Downpour", "sums of gradients (Downpour)"}}) {
        std::vector<run> runs;
        for (int const period : periods)
            for (int const workers : many)
                runs.push_back({method, {.workers = workers, .batch = t.batch, .updates = updates, .period = period}, half_random});
        auto const found = all_runs(t, runs, seeds);
        std::printf("\n%s, %s: %s after %d gradients of %zu rows, mean of %d seeds\n\n", t.name.c_str(), name, t.measure.c_str(), updates,
            t.batch, seeds);
        text_table table({"period \\ workers", "1", "2", "4", "8", "16"});
        std::size_t next = 0;
        for (int const period : periods) {
            std::vector<std::string> cells{std::to_string(period)};
            for ([[maybe_unused]] int const workers : many) {
                sample const q = qualities(found[next++]);
                auto const lost = std::count_if(q.values.begin(), q.values.end(), [](double v) { return v < .3; });
                cells.push_back(
                    format("%.3f +- %.3f", q.mean(), q.deviation()) + (lost > 0 ? format(" (%d)", static_cast<int>(lost)) : ""));
            }
            table.add(cells);
        }
        std::fputs(table.text().c_str(), stdout);
        std::puts("\n  in parentheses: runs that ended below 0.3");
        std::fflush(stdout);
    }
}

bool check_local(task const& t, bool by_rows) {
    bool right = true;
    auto const expect = [&](bool is, std::string const& what) {
        if (!is) std::printf("%s: wrong: %s\n", t.name.c_str(), what.c_str());
        right = right && is;
    };
    int const updates = 240;
    setting const one{.seed = 1, .batch = t.batch, .updates = updates};
    double const alone = t.methods.at("one worker")(one).quality;
    auto const train = [&](char const* method, int workers, int period, double slow = 1, std::optional<std::int64_t> staleness = {}) {
        setting s = one;
        s.workers = workers;
        s.period = period;
        s.staleness = staleness;
        return t.local_methods.at(method)(s, {.slow = slow, .spread = .1, .every = 0});
    };
    auto const quality = [&](auto const&... how) { return train(how...).points.back().quality; };
    expect(quality("Downpour", 1, 1) == alone, "Downpour of one worker with periods 1 is plain training");
    expect(quality("model averaging", 1, 10) == alone, "the mean of one worker is that worker");
    if (t.local_methods.contains("Hogwild")) expect(quality("Hogwild", 1, 1) == alone, "Hogwild of one worker is plain training");
    // rules with powers, such as Adam, count each step twice in AGN
    double const agn = quality("AGN", 1, 1);
    expect(by_rows ? agn == alone : std::abs(agn - alone) <= .03, format("AGN of one worker with period 1 %.4f, plain %.4f", agn, alone));
    double const displaced = quality("AGN, displacement", 1, 1);
    expect(std::abs(displaced - alone) <= .005, format("AGN by displacement, one worker, period 1, %.4f, plain %.4f", displaced, alone));

    curve const late = train("Downpour", 4, 1, 1, 2);
    std::int64_t accepted = 0, dropped = 0;
    for (auto const& w : late.report.workers) accepted += w.accepted, dropped += w.dropped;
    expect(accepted == late.report.updates && accepted + dropped == updates && dropped > 0, "each gradient makes an update or is too old");

    // Who meets goes at the pace of the slowest of four, who does not at that of all together.
    curve const meet = train("model averaging", 4, 10, 4), alike = train("model averaging", 4, 10), pass = train("AGN", 4, 10, 4);
    expect(meet.report.seconds > 3 * alike.report.seconds, "those who meet wait for the slowest one");
    expect(pass.report.seconds < .5 * meet.report.seconds, "nobody waits in AGN");
    curve const again = train("AGN", 4, 10, 4);
    expect(again.report.seconds == pass.report.seconds && again.points.back().quality == pass.points.back().quality,
        "a schedule depends on its seed alone");
    return right;
}

bool check_growth(task const& t) {
    auto const quality = [&](char const* method, int workers, int period) {
        return t.local_methods.at(method)({.workers = workers, .batch = t.batch, .updates = 480, .period = period}, half_random)
            .points.back()
            .quality;
    };
    double const mean = quality("AGN", 8, 10), sum = quality("Downpour", 8, 10), displaced = quality("AGN, displacement", 8, 10);
    std::printf(
        "%s: 8 workers, period 10: %s %.3f with means, %.3f with sums of gradients\n", t.name.c_str(), t.measure.c_str(), mean, sum);
    bool const same = quality("AGN", 4, 1) == quality("Downpour", 4, 1);
    if (!same) std::printf("wrong: sums and means of one gradient are the same\n");
    bool const stable = mean > .6 && sum < mean - .2;
    if (!stable) std::printf("wrong: means of gradients are more stable than sums\n");
    bool const forms = std::abs(mean - displaced) <= .01;
    if (!forms) std::printf("wrong: with plain gradient descent both forms of AGN are one, but this one has %.3f\n", displaced);
    return same && stable && forms;
}

}   // namespace examples::study
