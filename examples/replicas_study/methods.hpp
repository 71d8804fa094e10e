// SPDX-License-Identifier: MIT
// The ways to train that the study compares: one function for each. local_methods.hpp has those with workers that take local steps.
#pragma once

#include <replicas_study/local_methods.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <memory>
#include <thread>

namespace examples::study {

/// No replicas: a trainer with the whole batch.
template<class Model>
outcome one_worker(Model const& model, setting const& s) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    batches rows(model, {.seed = s.seed, .batch = s.batch}, 0, 1);
    for (int k = 0; k < s.updates; ++k) model.call(rows.next(), train);
    return {model.quality(train), {}};
}

/// Synchronous replicas in threads; those that are backup workers are whoever comes last. `How` is xg::fused or xg::faithful.
template<class How, class Model>
outcome synchronous(Model const& model, setting const& s) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    std::atomic<std::int64_t> done{0};
    xg::sync_replicas all(train,
        {.workers = s.workers, .replicas_to_aggregate = s.workers - s.backup, .initial_tokens = 0, .on_update = [&](std::int64_t step) {
             done = step;
         }});
    outcome result;
    result.report = all.run([&](auto& worker) {
        batches rows(model, s, worker.index(), worker.count());
        // Without backup workers all give equally many, and who comes when does not matter.
        for (int k = 0; s.backup == 0 ? k < s.updates : done < s.updates; ++k) {
            auto& batch = rows.next();
            if (worker.index() == 0 && s.sleep.count() > 0) std::this_thread::sleep_for(s.sleep);
            model.call(batch, worker);
        }
    });
    result.quality = model.quality(train);
    return result;
}

/// The same by the clock: a worker sleeps in each step for as many units as `t` gives.
/// The run ends at the quality that `t` gives. The time is in seconds.
template<class Model>
curve by_the_clock(Model const& model, setting const& s, timing const& t, std::chrono::microseconds unit) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    std::atomic<bool> ended{false};
    curve result;
    auto const begin = std::chrono::steady_clock::now();
    xg::sync_replicas all(train,
        {.workers = s.workers, .replicas_to_aggregate = s.workers - s.backup, .initial_tokens = 0, .on_update = [&](std::int64_t step) {
             if (ended) return;
             if (step % t.every == 0) {
                 double const now = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
                 result.points.push_back({now, static_cast<int>(step), model.quality(train)});
                 ended = result.points.back().quality >= t.until;
             }
             if (step == s.updates) ended = true;
         }});
    result.report = all.run([&](auto& worker) {
        batches rows(model, s, worker.index(), worker.count());
        step_times step_time(t, s.seed * 100 + static_cast<std::uint64_t>(worker.index()));
        while (!ended) {
            auto& batch = rows.next();
            std::this_thread::sleep_for(unit * step_time(worker.index()));
            model.call(batch, worker);
        }
    });
    return result;
}

/// The same event by event. Steps take the time that `t` gives, gradients and updates take none, and all workers compute concurrently.
/// The result depends on the seed alone.
template<class Model>
curve in_simulated_time(Model const& model, setting const& s, timing const& t) {
    auto train = model.trainer();
    model.initialize(train, s.seed);
    xg::sync_replicas all(train, {.workers = s.workers, .replicas_to_aggregate = s.workers - s.backup, .initial_tokens = 0});
    typename decltype(all)::replay replay(all);
    std::vector<batches<Model>> rows;
    std::vector<double> ends;
    std::deque<int> waiting;
    step_times step_time(t, s.seed);
    for (int k = 0; k < s.workers; ++k) {
        rows.emplace_back(model, s, k, s.workers);
        ends.push_back(step_time(k));
    }
    curve result;
    result.report.workers.resize(static_cast<std::size_t>(s.workers));
    double const never = std::numeric_limits<double>::infinity();
    while (result.report.updates < s.updates) {
        auto const first = std::min_element(ends.begin(), ends.end());
        int const k = static_cast<int>(first - ends.begin());
        double const now = *first;
        model.call(rows[static_cast<std::size_t>(k)].next(), [&](auto const&... in) { replay.compute(k, in...); });
        xg::worker_report& mine = result.report.workers[static_cast<std::size_t>(k)];
        ++mine.steps;
        ++(replay.push(k) ? mine.accepted : mine.dropped);
        result.report.seconds = now;
        *first = never;
        waiting.push_back(k);
        if (replay.can_update()) {
            replay.update();
            ++result.report.updates;
            if (result.report.updates % t.every == 0) {
                result.points.push_back({now, static_cast<int>(result.report.updates), model.quality(train)});
                if (result.points.back().quality >= t.until) break;
            }
        }
        while (!waiting.empty() && replay.begin(waiting.front())) {
            ends[static_cast<std::size_t>(waiting.front())] = now + step_time(waiting.front());
            waiting.pop_front();
        }
    }
    return result;
}

/// To add a method, add a function above and a line here. main.cpp names the settings that are compared.
template<class Model>
task with_methods(std::shared_ptr<Model const> m, task t) {
    t.methods = {
        {"one worker", [m](setting const& s) { return one_worker(*m, s); }},
        {"synchronous", [m](setting const& s) { return synchronous<xg::fused>(*m, s); }},
        {"variable by variable", [m](setting const& s) { return synchronous<xg::faithful>(*m, s); }},
    };
    add_local_methods(m, t);
    t.by_the_clock = [m](setting const& s, timing const& when, std::chrono::microseconds unit) { return by_the_clock(*m, s, when, unit); };
    t.in_simulated_time = [m](setting const& s, timing const& when) { return in_simulated_time(*m, s, when); };
    return t;
}

}   // namespace examples::study
