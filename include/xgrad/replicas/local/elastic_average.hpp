// SPDX-License-Identifier: MIT
// EASGD: workers that a spring holds to a centre, and the centre to them.
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
    int period = 10;                       // own steps of a worker between two exchanges: communication_period
    std::optional<double> moving_rate{};   // α, the part of the distance that both ends go; without it 0.9 / period / workers
    std::optional<double> rho{};           // ρ, the strength of the spring in each step; without it α / learning_rate
    /// Whether workers wait for each other and exchange together: all distances are those to the centre as it was before.
    bool synchronous = false;
    std::stop_token stop{};   // ends every wait
    /// A worker that neither calls nor ends for so long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // with fewer left when one is lost, the run fails on all
    /// Called behind each update of the centre with its global step; no other update comes before it returns. What it throws ends the run.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

template<class Rule>
inline constexpr bool has_learning_rate = requires(Rule const& r) { static_cast<double>(r.learning_rate(std::int64_t{})); };

/// α / learning_rate of each rule, or what the user has said.
template<class Rules>
struct elastic_strength;
template<class... R>
struct elastic_strength<std::tuple<R...>> {
    double value[sizeof...(R) + 1] = {};

    elastic_strength(std::tuple<R...> const& rules, std::int64_t step, double moving_rate, std::optional<double> const& rho) {
        std::apply([&](auto const&... rule) { set({of(rule, step, moving_rate, rho)..., 0.}); }, rules);
    }
    /// The rule for which rho must be given, or nothing.
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
        dense_sums sums;       // of this step
        moved_values centre;   // as this worker last saw it: local_center_variable

        model(new_worker<P> const& w, settings const&) : local_model<P>(w), updates(this->own_updates()) {
            updates.begin();
            sums.make_room(updates, false);
            centre.make_room(updates);
        }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    dense_updates updates_;   // of the centre: its variables
    double rate_;

    // d = v − what the worker has seen of the centre; v ← v − αd, centre ← centre + αd.
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
    /// A worker that begins has the variables of the centre; behind an exchange it keeps its own.
    void begin(model& m) {
        m.pull(centre_);
        m.since = 0;
        m.centre.take(updates_);
    }
    bool step(model& m) {
        auto& own = trainer_access::state(m.train);
        own.slots.global_step = m.pulled;
        elastic_strength<typename P::rules> const rho(own.all, m.pulled, rate_, settings_.rho);
        for (int k = 0; k < m.updates.steps().count(); ++k) m.sums.sort(m.updates, k, m.gradient(k));
        trainer_access::apply_by(m.train, [&] {
            each_moved(m.updates, [&](int k, auto t, auto memory) {
                using T = decltype(t);
                using M = decltype(memory);
                T const* const g = m.sums.template whole<T>(m.updates, k);
                M const *const here = data_of<M>(m.updates.variable(k)), *const seen = m.centre.template of<M>(k);
                double const strength = rho.value[m.updates.steps().step(k).group] * static_cast<double>(own.loss_scale);   // as g has it
                simd::batch<T> const by(static_cast<T>(strength));
                m.updates.template apply<T>(k, [&](T* to, std::int64_t first, std::int64_t n) {
                    if (strength == 0) return void(std::copy_n(g + first, n, to));   // state may be infinite: there is no distance then
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
            ++trainer_access::state(centre_).slots.global_step;
        });
        take(m);
        return exchange_result::moved;
    }
    /// All distances are those to the centre as it was before.
    template<class Move>
    void meet(model* const* models, int n, Move const& move) {
        move([&] {
            for (int k = 0; k < n; ++k) models[k]->centre.take(updates_);
            for (int k = 0; k < n; ++k) pull_together(*models[k]);
            ++trainer_access::state(centre_).slots.global_step;
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
                raise_parts<value_error>({"xgrad: elastic_average: ", what, " must be a finite number that is not negative"});
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
    /// The centre as it was before the exchange: a worker makes its own part of that from there, in its image too.
    template<class Pass>
    void reply(model& m, Pass const& pass) {
        m.centre.pass(pass, updates_);
        pass(trainer_access::state(centre_).slots.global_step);
    }
    void resume(model& m) {
        m.centre.give(updates_);
        pull_together(m);
        take(m);
    }
};

}   // namespace detail

/// Elastic averaging (contrib's ElasticAverageOptimizer; Zhang, Choromanska, LeCun, 2015, arXiv 1412.6651). Each worker adds to its gradients the pull
/// of a spring to the centre as it last saw it, g + ρ (v − s), and steps with a rule and slots of its own. Every `period` steps it looks at the
/// centre, s ← c, and both go a part of the way, d = v − s, v ← v − αd, c ← c + αd; the global step goes up by one.
///
///     auto replicas = xg::elastic_average(train, {.workers = 4, .period = 10});
///     auto ranks = xg::elastic_average(train, xg::mpi{}, {.period = 10});   // over a transport: one worker in each rank, the centre in rank 0
///
/// The slots of the centre are not used. Hyper-parameters that depend on the step see the global step that the worker last saw. With slices the spring
/// makes a dense gradient: all rows move. State that the trainer assigns is held by no spring in a step, but exchanged as variables are. Where a
/// distance is infinite or NaN, as for state that begins with infinity, the worker keeps what it has and the centre takes it. Different
/// from contrib: variables are paired with their own centres (contrib pairs all trainable variables with those of the list that is minimized, by
/// position); `.synchronous` makes every exchange one of all workers, as in the paper (contrib's only lets them begin together). Throws value_error
/// where workers or period is not positive, moving_rate or rho is negative, infinite or NaN, or rho is not given and a rule has no learning_rate.
template<class Train, class Over = in_threads>
class elastic_average;
template<class P, class Over>
class elastic_average<trainer<P>, Over> : public detail::local_replicas<P, detail::elastic_method<P>, Over> {
    using base = detail::local_replicas<P, detail::elastic_method<P>, Over>;

public:
    explicit elastic_average(trainer<P>& train, elastic_options const& options = {}) : base(train, options) {}
    elastic_average(trainer<P>& train, Over&& over, elastic_options const& options = {}) : base(train, std::forward<Over>(over), options) {}
    /// α and, of the rule of group G at the step of now, ρ.
    double moving_rate() const { return detail::elastic_method<P>::moving_rate(this->settings_); }
    template<std::size_t G = 0>
    double rho() const {
        return this->with_variables([&](trainer<P> const& train) {
            auto const& rules = detail::trainer_access::state(train).all;
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
