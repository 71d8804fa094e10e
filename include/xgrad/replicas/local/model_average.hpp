// SPDX-License-Identifier: MIT
// Model averaging: now and then the variables of all workers become their mean.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/local_ranks.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>

XGRAD_NAMESPACE_BEGIN

/// `{.workers = 4, .interval_steps = 100}`.
struct model_average_options {
    int workers = 1;
    int interval_steps = 100;   // steps of a worker between two means
    std::stop_token stop{};     // ends every wait
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Called after each mean with the global step. No other mean is taken before it returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

/// The mean of a variable over workers, element by element, added in the order of the workers.
template<class T, class M, class Model>
auto mean_over(Model* const* models, int count, int k) {
    return [=, by = simd::batch<T>(static_cast<T>(count))](auto at) {
        auto sum = at.load(data_of<M>(models[0]->updates.variable(k)));
        for (int m = 1; m < count; ++m) sum += at.load(data_of<M>(models[m]->updates.variable(k)));
        return sum / by;
    };
}

template<class P>
class model_average_method {
public:
    using settings = model_average_options;
    static constexpr std::string_view name = "model_average";

    struct model : local_model<P> {
        dense_updates updates;
        model(new_worker<P> const& w, settings const&) : local_model<P>(w), updates(this->own_updates()) { updates.begin(); }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    dense_updates updates_;   // the variables of the centre

public:
    model_average_method(trainer<P>& centre, settings const& s)
        : centre_(centre), settings_(s), updates_(local_model<P>::updates_of(centre)) {}
    void start() { updates_.begin(); }
    static bool meets() { return true; }
    void begin(model& m) {
        m.pull(centre_);
        m.since = 0;
    }
    void take(model& m) { begin(m); }
    bool step(model& m) {
        m.apply(m.pulled, [] {});
        return m.since == settings_.interval_steps;
    }
    static void check(settings const& s) {
        if (s.interval_steps < 1)
            raise_parts<value_error>({"xgrad: model_average: interval_steps must be positive, but is ", s.interval_steps});
    }
    static void describe(std::string& text, settings const& s) { append(text, {"interval_steps: ", s.interval_steps, "\n"}); }
    template<class Pass>
    void give(model& m, Pass const& pass) {
        pass_variables(pass, m.updates);
    }
    template<class Pass>
    void reply(model&, Pass const& pass) {
        pass_centre(pass, centre_, updates_);
    }
    void resume(model& m) { begin(m); }
    template<class Move>
    void meet(model* const* models, int n, Move const& move) {
        move([&] {
            each_moved(updates_, [&](int k, auto t, auto memory) {
                using T = decltype(t);
                using M = decltype(memory);
                M* const centre = data_of<M>(updates_.variable(k));
                auto const mean = mean_over<T, M>(models, n, k);
                each_batch<T>(updates_.elements(k), [&](auto at) { at.store(centre, mean(at)); });
            });
            ++step_driver::state(centre_).slots.global_step;
        });
    }
};

}   // namespace detail

/// Model averaging (contrib's ModelAverageOptimizer). After every `interval_steps` steps all n workers wait for each other:
///
///     c ← (Σ v) / n     added in the order of the workers; global step + 1
///     v ← c             all workers continue from the centre c
///
/// Examples:
///
///     auto replicas = xg::model_average(train, {.workers = 4, .interval_steps = 100});
///     auto ranks = xg::model_average(train, xg::mpi{}, {.interval_steps = 100});   // one worker in each rank, the centre in rank 0
///
/// - *Slots* of workers stay as they are. Those of the centre are not used.
/// - *Bits.* The result is bitwise equal in all runs in which each worker takes the same steps. The others do not wait for a worker that
///   has ended.
/// - *Assigned state* of the trainer is averaged, too.
/// - *Hyper-parameters* that depend on the step see the global step.
///
/// Throws value_error if workers or interval_steps is not positive.
template<class Train, class Over = in_threads>
class model_average;
template<class P, class Over>
class model_average<trainer<P>, Over> : public detail::local_replicas<P, detail::model_average_method<P>, Over> {
    using base = detail::local_replicas<P, detail::model_average_method<P>, Over>;

public:
    explicit model_average(trainer<P>& train, model_average_options const& options = {}) : base(train, options) {}
    model_average(trainer<P>& train, Over&& over, model_average_options const& options = {})
        : base(train, std::forward<Over>(over), options) {}
};
template<class P>
model_average(trainer<P>&, model_average_options const& = {}) -> model_average<trainer<P>>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
model_average(trainer<P>&, T&&, model_average_options const& = {}) -> model_average<trainer<P>, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
