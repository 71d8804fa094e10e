// SPDX-License-Identifier: MIT
// Ways to train with workers that take local steps, simulated event by event.
// Steps take the time that `timing` gives, exchanges take none, and all workers compute concurrently.
// The result depends on the seed alone. Each gradient is of `batch` rows, and all workers together compute `updates` of them.
#pragma once

#include <replicas_study/batches.hpp>

#include <xgrad/replicas/replicas.hpp>

#include <algorithm>
#include <limits>
#include <memory>

namespace examples::study {

/// The replicas are what `make(train)` returns. If they meet, those who want to exchange wait for all others.
template<class Model, class Make>
curve local_steps(Model const& model, setting const& s, timing const& t, bool meet, Make const& make) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    auto all = make(train);
    typename decltype(all)::replay replay(all);
    setting together = s;
    together.batch *= static_cast<std::size_t>(s.workers);
    std::vector<batches<Model>> rows;
    step_times step_time(t, s.seed);
    std::vector<double> ends;
    std::vector<std::size_t> waiting;
    std::vector<int> steps(static_cast<std::size_t>(s.workers));
    for (int k = 0; k < s.workers; ++k) {
        rows.emplace_back(model, together, k, s.workers);
        ends.push_back(step_time(k));
    }
    curve result;
    for (int given = 1; given <= s.updates; ++given) {
        auto const at = static_cast<std::size_t>(std::min_element(ends.begin(), ends.end()) - ends.begin());
        double const now = ends[at];
        int const k = static_cast<int>(at);
        model.call(rows[at].next(), [&](auto const&... in) { replay.compute(k, in...); });
        bool const moved = replay.step(k);
        if (meet && ++steps[at] % s.period == 0) {
            ends[at] = std::numeric_limits<double>::infinity();
            waiting.push_back(at);
            if (moved) {
                for (std::size_t const w : waiting) ends[w] = now + step_time(static_cast<int>(w));
                waiting.clear();
            }
        } else ends[at] = now + step_time(k);
        if (given == s.updates || (t.every > 0 && given % t.every == 0)) {
            result.report.seconds = now;
            result.points.push_back({now, given, model.quality(train)});
            if (result.points.back().quality >= t.until) break;
        }
    }
    xg::local_report const report = replay.report();
    result.report.updates = report.updates;
    for (auto const& w : report.workers)
        result.report.workers.push_back({.steps = w.steps, .accepted = w.communications - w.dropped, .dropped = w.dropped});
    return result;
}

/// In threads, without a lock: the result depends on timing. For rules without scalars.
template<class Model>
curve hogwild(Model const& model, setting const& s) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    xg::hogwild all(train, {.workers = s.workers});
    setting together = s;
    together.batch *= static_cast<std::size_t>(s.workers);
    xg::local_report const report = all.run([&](auto& worker) {
        batches rows(model, together, worker.index(), worker.count());
        for (int k = worker.index(); k < s.updates; k += worker.count()) model.call(rows.next(), worker);
    });
    curve result{.points = {{0, s.updates, model.quality(train)}}};
    result.report.updates = report.updates;
    return result;
}

/// A method more is a line here, with a function of the trainer that makes the replicas.
template<class Model>
void add_local_methods(std::shared_ptr<Model const> m, task& t) {
    auto const add = [&](char const* name, bool meet, auto const& make) {
        t.local_methods[name] = [=](setting const& s, timing const& when) {
            return local_steps(*m, s, when, meet, [&](auto& train) { return make(train, s); });
        };
    };
    add("AGN", false, [](auto& train, setting const& s) { return xg::agn(train, {.workers = s.workers, .period = s.period}); });
    add("AGN, displacement", false, [](auto& train, setting const& s) {
        return xg::agn(train, {.workers = s.workers, .period = s.period, .form = xg::agn_form::mean_displacement});
    });
    add("elastic averaging", false, [](auto& train, setting const& s) {
        return xg::elastic_average(train, {.workers = s.workers, .period = s.period, .rho = s.spring});
    });
    add("model averaging", true,
        [](auto& train, setting const& s) { return xg::model_average(train, {.workers = s.workers, .interval_steps = s.period}); });
    add("DiLoCo", true, [](auto& train, setting const& s) { return xg::diloco(train, {.workers = s.workers, .period = s.period}); });
    auto const options = [](setting const& s) {
        return xg::downpour_options{.workers = s.workers,
            .push_period = s.period,
            .pull_period = s.period,
            .staleness = s.staleness,
            .compensation = s.compensation};
    };
    add("Downpour", false, [=](auto& train, setting const& s) { return xg::downpour(train, options(s)); });
    add("Downpour, largest", false,
        [=](auto& train, setting const& s) { return xg::downpour(train, options(s), xg::top_k_compression{.fraction = s.fraction}); });
}

}   // namespace examples::study
