// SPDX-License-Identifier: MIT
// Accumulated gradient normalization (AGN): a worker takes several steps, then moves the centre by the mean of the gradients of these
// steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/local_ranks.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>

XGRAD_NAMESPACE_BEGIN

/// How a worker moves the centre.
enum class agn_form {
    mean_gradient,       ///< like contrib's AGNOptimizer: the rule, with slots of the centre, applies the mean of the gradients
    mean_displacement,   ///< like the paper: adds the worker's displacement, divided by the number of steps
};

/// `{.workers = 4, .period = 10}`.
struct agn_options {
    int workers = 1;
    int period = 10;   // steps of a worker between two exchanges: communication_period
    agn_form form = agn_form::mean_gradient;
    std::stop_token stop{};   // ends the run
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Called after each update of the centre with its global step. No other update happens before it returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

template<class P>
class agn_method {
public:
    using settings = agn_options;
    static constexpr std::string_view name = "agn";

    struct model : local_model<P> {
        dense_updates updates;
        dense_sums sums;
        moved_values taken;   // for mean_displacement: the variables at the last pull

        model(new_worker<P> const& w, settings const& s) : local_model<P>(w), updates(this->own_updates()) {
            updates.begin();
            if (s.form == agn_form::mean_gradient) sums.make_room(updates, true);
            else taken.make_room(updates);
        }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    dense_updates updates_;   // of the centre

    // Uses the worker's scalars of the rule, for its own steps and for those of the centre. A copy stays at the centre, so that checkpoints
    // contain it.
    template<class Move>
    void give_gradient(model& m, Move const& move) {
        auto &centre = step_driver::state(centre_), &own = step_driver::state(m.train);
        own.slots.global_step = centre_.global_step();
        double const* const powers = step_driver::begin(m.train);
        move([&] {
            centre.scalars = own.scalars;
            each_update(updates_.steps(), [&](int k, auto t) {
                using T = decltype(t);
                T const* const sum = m.sums.template values<T>(k);
                simd::batch<T> const by(static_cast<T>(settings_.period));
                updates_.apply<T>(k, [&](T* to, std::int64_t first, std::int64_t n) {
                    each_batch<T>(n, [&](auto at) { at.store(to, at.load(sum + first) / by); });
                });
            });
            std::copy_n(powers, own.slots.powers.count, centre.slots.powers.at);
            ++centre.slots.global_step;
        });
        std::copy_n(powers, own.slots.powers.count, own.slots.powers.at);
    }
    template<class Move>
    void give_displacement(model& m, Move const& move) {
        move([&] {
            each_moved(updates_, [&](int k, auto t, auto memory) {
                using T = decltype(t);
                using M = decltype(memory);
                M* const centre = data_of<M>(updates_.variable(k));
                M const *const now = data_of<M>(m.updates.variable(k)), *const then = m.taken.template of<M>(k);
                simd::batch<T> const by(static_cast<T>(settings_.period));
                each_batch<T>(updates_.elements(k), [&](auto at) {
                    auto const v = at.load(now), way = v - at.load(then);
                    at.store(centre, moved_by(way, at.load(centre) + way / by, v));
                });
            });
            ++step_driver::state(centre_).slots.global_step;
        });
    }

public:
    agn_method(trainer<P>& centre, settings const& s) : centre_(centre), settings_(s), updates_(local_model<P>::updates_of(centre)) {}
    void start() { updates_.begin(); }
    static bool meets() { return false; }
    void begin(model& m) {
        m.pull(centre_);
        m.since = 0;
        if (settings_.form == agn_form::mean_gradient) m.sums.clear(m.updates);
        else m.taken.take(m.updates);
    }
    bool step(model& m) {
        bool const sums = settings_.form == agn_form::mean_gradient;
        for (int k = 0; sums && k < m.updates.steps().count(); ++k) m.sums.sort(m.updates, k, m.gradient(k));
        m.apply(m.pulled, [&] {
            if (sums) each_update(m.updates.steps(), [&](int k, auto t) { m.sums.template add<decltype(t)>(m.updates, k); });
        });
        return m.since == settings_.period;
    }
    static void check(settings const& s) {
        if (s.period < 1) raise_parts<value_error>({"xgrad: agn: period must be positive, but is ", s.period});
    }
    static void describe(std::string& text, settings const& s) {
        append(text, {"period: ", s.period, "\n"});
        append(text, {"form: ", s.form == agn_form::mean_gradient ? "mean gradient" : "mean displacement", "\n"});
    }
    template<class Move>
    exchange_result exchange(model& m, Move const& move) {
        if (settings_.form == agn_form::mean_gradient) give_gradient(m, move);
        else give_displacement(m, move);
        begin(m);
        return exchange_result::moved;
    }
    template<class Pass>
    void give(model& m, Pass const& pass) {
        if (settings_.form == agn_form::mean_displacement) return pass_variables(pass, m.updates);
        m.sums.pass(pass, m.updates);
        pass_powers(pass, m.train);
    }
    template<class Pass>
    void reply(model& m, Pass const& pass) {
        pass_centre(pass, centre_, updates_);
        if (settings_.form == agn_form::mean_gradient) pass_powers(pass, m.train);
    }
    void resume(model& m) { begin(m); }
};

}   // namespace detail

/// Accumulated gradient normalization (contrib's AGNOptimizer; Hermans, Spanakis, Möckel, ACML 2017, arXiv 1710.02368), asynchronous.
///
/// Each worker has its own variables v and slots. One period:
///
///     period times    v ← rule(v, g), a ← a + g      the worker's steps; a adds up the gradients
///     then            c ← rule(c, a / period)        moves the centre c, with slots of the centre; global step + 1
///     then            v ← c, a ← 0                   continues from the centre
///
/// Examples:
///
///     auto replicas = xg::agn(train, {.workers = 4, .period = 10});
///     auto ranks = xg::agn(train, xg::mpi{}, {.period = 10});   // over a transport: one worker in each rank, the centre in rank 0
///
/// - *Optimizer scalars*, such as Adam's beta powers, belong to the worker. They advance with its steps and with its steps of the
///   centre, so period + 1 times a period. The centre has those of the worker that moved it last.
/// - *Slots* of workers stay as they are when the variables are overwritten.
/// - *Hyper-parameters* that depend on the step see the global step that the worker last pulled. At the centre they see the current one.
/// - *Slices* count as dense gradients at the centre, where all rows move.
/// - *Assigned state* of the trainer becomes the mean of what the worker has computed for it.
/// - `.form = agn_form::mean_displacement` follows the paper: c ← c + (v − v₀) / period, where v₀ is what the worker pulled. Slots and
///   scalars of the centre are not used. Where a distance is infinite or NaN, as for state that begins with infinity, the centre takes v.
///
/// Throws value_error if workers or period is not positive.
template<class Train, class Over = in_threads>
class agn;
template<class P, class Over>
class agn<trainer<P>, Over> : public detail::local_replicas<P, detail::agn_method<P>, Over> {
    using base = detail::local_replicas<P, detail::agn_method<P>, Over>;

public:
    explicit agn(trainer<P>& train, agn_options const& options = {}) : base(train, options) {}
    agn(trainer<P>& train, Over&& over, agn_options const& options = {}) : base(train, std::forward<Over>(over), options) {}
};
template<class P>
agn(trainer<P>&, agn_options const& = {}) -> agn<trainer<P>>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
agn(trainer<P>&, T&&, agn_options const& = {}) -> agn<trainer<P>, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
