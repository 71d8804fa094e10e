// SPDX-License-Identifier: MIT
// Elastic averaging (EASGD): springs pull workers towards a centre, and the centre towards the workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/local_ranks.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// `{.workers = 4, .period = 10}`.
struct elastic_options {
    int workers = 1;
    int period = 10;                       // steps of a worker between two exchanges: communication_period
    std::optional<double> moving_rate{};   // α, the share of the distance that both ends move; default 0.9 / period / workers
    std::optional<double> rho{};           // ρ, the strength of the spring in each step; default α / learning_rate
    /// Whether all workers wait for each other and exchange together. Then all distances are measured to the centre before the exchange.
    bool synchronous = false;
    std::stop_token stop{};   // ends every wait
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Called after each update of the centre with its global step. No other update happens before it returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

template<class Rule>
inline constexpr bool has_learning_rate = requires(Rule const& r) { static_cast<double>(r.learning_rate(std::int64_t{})); };

/// ρ for each rule: the user's value, or α / learning_rate.
template<class Rules>
struct elastic_strength;
template<class... R>
struct elastic_strength<std::tuple<R...>> {
    double value[sizeof...(R) + 1] = {};

    elastic_strength(std::tuple<R...> const& rules, std::int64_t step, double moving_rate, std::optional<double> const& rho) {
        std::apply([&](auto const&... rule) { set({of(rule, step, moving_rate, rho)..., 0.}); }, rules);
    }
    /// A rule for which rho must be given, or empty.
    static std::string_view without_rate() {
        std::string_view found;
        ((has_learning_rate<R> || std::is_same_v<R, set_value> ? void() : void(found = R::name)), ...);
        return found;
    }

private:
    template<class Rule>
    static double of([[maybe_unused]] Rule const& rule, [[maybe_unused]] std::int64_t step, [[maybe_unused]] double moving_rate,
        std::optional<double> const& rho) {
        if constexpr (std::is_same_v<Rule, set_value>) return 0;   // state is not trained
        else if (rho) return *rho;
        else if constexpr (has_learning_rate<Rule>) return moving_rate / rule.learning_rate(step);
        else return 0;
    }
    void set(std::initializer_list<double> values) { std::copy(values.begin(), values.end(), value); }
};

template<class P>
class elastic_method {
public:
    using settings = elastic_options;
    static constexpr std::string_view name = "elastic_average";

    struct model : local_model<P> {
        dense_updates updates;
        dense_sums sums;       // of the current step
        moved_values centre;   // the centre at the last exchange: local_center_variable

        model(new_worker<P> const& w, settings const&) : local_model<P>(w), updates(this->own_updates()) {
            updates.begin();
            sums.make_room(updates, false);
            centre.make_room(updates);
        }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    dense_updates updates_;   // the variables of the centre
    double rate_;

    // d = v − s, where s is the centre as the worker last saw it; v ← v − αd, c ← c + αd.
    void pull_together(model& m) {
        each_moved(updates_, [&](int k, auto t, auto memory) {
            using T = decltype(t);
            using M = decltype(memory);
            M *const there = data_of<M>(updates_.variable(k)), *const here = data_of<M>(m.updates.variable(k));
            M const* const seen = m.centre.template of<M>(k);
            simd::batch<T> const alpha(static_cast<T>(rate_));
            each_batch<T>(updates_.elements(k), [&](auto at) {
                auto const v = at.load(here), distance = v - at.load(seen), way = alpha * distance;
                at.store(here, moved_by(distance, v - way, v));
                at.store(there, moved_by(distance, at.load(there) + way, v));
            });
        });
    }

public:
    elastic_method(trainer<P>& centre, settings const& s)
        : centre_(centre), settings_(s), updates_(local_model<P>::updates_of(centre)), rate_(moving_rate(s)) {}
    static double moving_rate(settings const& s) { return s.moving_rate ? *s.moving_rate : .9 / s.period / s.workers; }
    void start() { updates_.begin(); }
    bool meets() const { return settings_.synchronous; }
    /// Called when a worker begins: it pulls the variables of the centre. After an exchange it keeps its variables.
    void begin(model& m) {
        m.pull(centre_);
        m.since = 0;
        m.centre.take(updates_);
    }
    bool step(model& m) {
        auto& own = step_driver::state(m.train);
        own.slots.global_step = m.pulled;
        elastic_strength<typename P::rules> const rho(own.all, m.pulled, rate_, settings_.rho);
        for (int k = 0; k < m.updates.steps().count(); ++k) m.sums.sort(m.updates, k, m.gradient(k));
        step_driver::apply_by(m.train, [&] {
            each_moved(m.updates, [&](int k, auto t, auto memory) {
                using T = decltype(t);
                using M = decltype(memory);
                T const* const g = m.sums.template whole<T>(m.updates, k);
                M const *const here = data_of<M>(m.updates.variable(k)), *const seen = m.centre.template of<M>(k);
                // The gradient g is multiplied by the loss scale, so the pull of the spring must be, too.
                double const strength = rho.value[m.updates.steps().step(k).group] * static_cast<double>(own.loss_scale);
                simd::batch<T> const by(static_cast<T>(strength));
                m.updates.template apply<T>(k, [&](T* to, std::int64_t first, std::int64_t n) {
                    if (strength == 0) return void(std::copy_n(g + first, n, to));   // state may be infinite, and then the distance is NaN
                    each_batch<T>(
                        n, [&](auto at) { at.store(to, at.load(g + first) + by * (at.load(here + first) - at.load(seen + first))); });
                });
            });
        });
        m.count();
        return m.since == settings_.period;
    }
    template<class Move>
    exchange_result exchange(model& m, Move const& move) {
        move([&] {
            m.centre.take(updates_);
            pull_together(m);
            ++step_driver::state(centre_).slots.global_step;
        });
        take(m);
        return exchange_result::moved;
    }
    /// All distances are measured to the centre before the exchange.
    template<class Move>
    void meet(model* const* models, int n, Move const& move) {
        move([&] {
            for (int k = 0; k < n; ++k) models[k]->centre.take(updates_);
            for (int k = 0; k < n; ++k) pull_together(*models[k]);
            ++step_driver::state(centre_).slots.global_step;
        });
    }
    void take(model& m) {
        m.pulled = centre_.global_step();
        m.since = 0;
    }
    static void check(settings const& s) {
        if (s.period < 1) raise_parts<value_error>({"xgrad: elastic_average: period must be positive, but is ", s.period});
        auto const check_rate = [](std::string_view what, std::optional<double> const& x) {
            if (x && !(*x >= 0 && std::isfinite(*x)))
                raise_parts<value_error>(
                    {"xgrad: elastic_average: ", what, " is negative, NaN or infinite; write a finite number of at least 0"});
        };
        check_rate("moving_rate", s.moving_rate);
        check_rate("rho", s.rho);
        if (std::string_view const rule = elastic_strength<typename P::rules>::without_rate(); !s.rho && !rule.empty())
            raise_parts<value_error>({"xgrad: elastic_average: rho must be given, because the rule ", rule, " has no learning_rate"});
    }
    static void describe(std::string& text, settings const& s) {
        append(text, {"period: ", s.period, "\n"});
        append(text, {"synchronous: ", s.synchronous ? "true" : "false", "\n"});
        detail::describe(text, "moving_rate", moving_rate(s));
        if (s.rho) detail::describe(text, "rho", *s.rho);
    }
    template<class Pass>
    void give(model& m, Pass const& pass) {
        pass_variables(pass, m.updates);
    }
    /// Sends the centre from before the exchange. The worker computes its part of the exchange from it, as does its image in rank 0.
    template<class Pass>
    void reply(model& m, Pass const& pass) {
        m.centre.pass(pass, updates_);
        pass(step_driver::state(centre_).slots.global_step);
    }
    void resume(model& m) {
        m.centre.give(updates_);
        pull_together(m);
        take(m);
    }
};

}   // namespace detail

/// Elastic averaging (contrib's ElasticAverageOptimizer; Zhang, Choromanska, LeCun, 2015, arXiv 1412.6651).
///
/// A worker has its own variables v, and s, the centre c as it last saw it. It steps with its own rule and slots:
///
///     each step       v ← rule(v, g + ρ (v − s))                 the gradient plus the pull of a spring
///     each period     s ← c, d = v − s, v ← v − αd, c ← c + αd   both move by a share of the distance; global step + 1
///
/// Examples:
///
///     auto replicas = xg::elastic_average(train, {.workers = 4, .period = 10});
///     auto ranks = xg::elastic_average(train, xg::mpi{}, {.period = 10});   // a transport: one worker in each rank, the centre in rank 0
///
/// - *Slots* of the centre are not used.
/// - *Hyper-parameters* that depend on the step see the global step that the worker last saw.
/// - *Slices.* The spring makes the gradient dense: all rows move.
/// - *Assigned state* of the trainer has no spring in a step, but is exchanged like variables. Where a distance is infinite or NaN, as for
///   state that begins with infinity, the worker keeps its value and the centre takes it.
///
/// Two differences from contrib:
/// - Each variable is paired with its own centre. Contrib pairs all trainable variables with those of the minimized list, by position.
/// - `.synchronous` makes every exchange one of all workers, as in the paper. Contrib's only lets them begin together.
///
/// Throws value_error if workers or period is not positive, or if moving_rate or rho is negative, infinite or NaN. The same if rho is
/// missing and a rule has no learning_rate.
template<class Train, class Over = in_threads>
class elastic_average;
template<class P, class Over>
class elastic_average<trainer<P>, Over> : public detail::local_replicas<P, detail::elastic_method<P>, Over> {
    using base = detail::local_replicas<P, detail::elastic_method<P>, Over>;

public:
    explicit elastic_average(trainer<P>& train, elastic_options const& options = {}) : base(train, options) {}
    elastic_average(trainer<P>& train, Over&& over, elastic_options const& options = {}) : base(train, std::forward<Over>(over), options) {}
    /// α, and ρ of the rule of group G at the current step.
    double moving_rate() const { return detail::elastic_method<P>::moving_rate(this->settings_); }
    template<std::size_t G = 0>
    double rho() const {
        return this->with_variables([&](trainer<P> const& train) {
            auto const& rules = step_driver::state(train).all;
            return detail::elastic_strength<typename P::rules>(rules, train.global_step(), moving_rate(), this->settings_.rho).value[G];
        });
    }
};
template<class P>
elastic_average(trainer<P>&, elastic_options const& = {}) -> elastic_average<trainer<P>>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
elastic_average(trainer<P>&, T&&, elastic_options const& = {}) -> elastic_average<trainer<P>, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
