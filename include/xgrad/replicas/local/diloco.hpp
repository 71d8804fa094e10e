// SPDX-License-Identifier: MIT
// Local steps with an outer rule: the mean distance that the workers have moved serves as a gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rules/momentum.hpp>
#include <xgrad/replicas/compression/compressed_gradient.hpp>
#include <xgrad/replicas/ranks/local_ranks.hpp>
#include <xgrad/replicas/local/outer_rule.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN

/// `{.workers = 4, .period = 500}`.
struct diloco_options {
    int workers = 1;
    int period = 500;   // steps of a worker between two outer steps
    /// How many workers make an outer step, or all that are left if these are fewer; 0: all. With fewer than there are, the others are
    /// backup workers. A contribution that was begun before the last outer step is dropped and counted. Its worker continues from the
    /// centre.
    int replicas_to_aggregate = 0;
    std::stop_token stop{};   // ends every wait
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Called after each outer step with the global step. No other outer step happens before it returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

/// Checks at compile time whether diloco can apply an outer rule, and explains why not.
template<class Rule>
consteval bool is_outer_rule() {
    static_assert(explain_rule<Rule>());
    if constexpr (UpdateRule<Rule>) {
        constexpr bool alone = moves_elements<Rule> && rule_reductions<Rule>.count == 0;
        static_assert(alone,
            "xgrad::diloco(train, options, rule): rule needs values of a whole variable or row, but each element is moved alone; "
            "write another rule, such as xgrad::momentum");
        static_assert(!scales_loss<Rule>,
            "xgrad::diloco(train, options, rule): rule scales the loss, but it gets differences of variables, not gradients of a "
            "loss; remove the link fixed_loss_scale");
        return alone && !scales_loss<Rule>;
    } else return false;
}

template<class P, class Rule, class Compression>
class diloco_method {
public:
    struct settings : diloco_options {
        outer_rule<Rule>* outer;   // owned by the replicas
        Compression compression;
    };
    static constexpr std::string_view name = "diloco";

    struct model : local_model<P> {
        dense_updates updates;
        std::int64_t first;                                  // the number that its rules count as the first step
        std::vector<compressed_gradient<Compression>> way;   // the distance from the centre, as sent
        bool sent = false;                                   // and not yet used by the centre
        bool used = false;                                   // in the last meeting

        model(new_worker<P> const& w, settings const& s)
            : local_model<P>(w), updates(this->own_updates()), first(w.centre.global_step() * s.period) {
            updates.begin();
            if constexpr (!compresses<Compression>) return;
            way.resize(static_cast<std::size_t>(updates.steps().count()));
            each_update(updates.steps(), [&](int u, auto t) {
                using T = decltype(t);
                way[static_cast<std::size_t>(u)].template of<T>().dense.values.grow_to(static_cast<std::size_t>(updates.elements(u)));
                way[static_cast<std::size_t>(u)].template make_sender<T>(s.compression, updates.elements(u));
            });
        }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    dense_updates updates_;   // the variables of the centre
    sequence<bool> trained_;

    void send(model& m) {
        each_moved(updates_, [&](int k, auto t, auto memory) {
            using T = decltype(t);
            using M = decltype(memory);
            if (!trained_.at[k]) return;
            auto& way = m.way[static_cast<std::size_t>(k)];
            T* const to = way.template of<T>().dense.values.data();
            M const *const centre = data_of<M>(updates_.variable(k)), *const here = data_of<M>(m.updates.variable(k));
            each_batch<T>(updates_.elements(k), [&](auto at) { at.store(to, at.load(centre) - at.load(here)); });
            way.template compress<T>(updates_.elements(k));
        });
        m.sent = true;
    }

public:
    diloco_method(trainer<P>& centre, settings const& s)
        : centre_(centre), settings_(s), updates_(local_model<P>::updates_of(centre)), trained_(local_model<P>::trained(centre)) {}
    void start() { updates_.begin(); }
    static bool meets() { return true; }
    std::size_t needed() const {
        return settings_.replicas_to_aggregate > 0 ? static_cast<std::size_t>(settings_.replicas_to_aggregate) : std::size_t(-1);
    }
    void begin(model& m) {
        m.pull(centre_);
        m.since = 0;
        if constexpr (compresses<Compression>)
            if (std::exchange(m.sent, false))
                each_update(updates_.steps(), [&](int k, auto t) {
                    if (trained_.at[k]) m.way[static_cast<std::size_t>(k)].template take_back<decltype(t)>();
                });
    }
    void take(model& m) { begin(m); }
    bool step(model& m) {
        m.apply(m.first + m.steps, [] {});
        return m.since == settings_.period;
    }
    void bring(model& m) {
        m.used = false;
        if constexpr (compresses<Compression>) send(m);
    }
    static void check(settings const& s) {
        if (s.period < 1) raise_parts<value_error>({"xgrad: diloco: period must be positive, but is ", s.period});
        if (int const r = s.replicas_to_aggregate; r < 0 || r > s.workers)
            raise_parts<value_error>(
                {"xgrad: diloco: replicas_to_aggregate must be in [0, workers], which is ", s.workers, ", but is ", r});
        s.compression.check(0);
    }
    static void describe(std::string& text, settings const& s) {
        append(text, {"period: ", s.period, "\nreplicas_to_aggregate: ", s.replicas_to_aggregate, "\nthe outer rule: ", Rule::name, "\n"});
        describe_compression(text, s.compression);
    }
    /// Reads or writes what a worker keeps from run to run.
    template<class Pass>
    static void keep(model& m, Pass const& pass) {
        pass(m.first);
        pass(m.sent);
        for (auto& way : m.way) way.pass_left(pass);
    }
    template<class Pass>
    void give(model& m, Pass const& pass) {
        if constexpr (Pass::reads) m.used = false;
        each_update(updates_.steps(), [&](int k, auto t) {
            if constexpr (compresses<Compression>)
                if (trained_.at[k]) return m.way[static_cast<std::size_t>(k)].template pass<decltype(t)>(pass, updates_.elements(k));
            state_piece const p = piece_of(m.updates.variable(k));
            pass(p.data, p.bytes);
        });
    }
    template<class Pass>
    void reply(model& m, Pass const& pass) {
        pass(m.used);
        pass_centre(pass, centre_, updates_);
    }
    void resume(model& m) {
        if (m.used) m.sent = false;
        begin(m);
    }
    template<class Move>
    void meet(model* const* models, int n, Move const& move) {
        settings_.outer->begin();
        move([&] {
            each_moved(updates_, [&](int k, auto t, auto memory) {
                using T = decltype(t);
                using M = decltype(memory);
                M* const centre = data_of<M>(updates_.variable(k));
                simd::batch<T> const by(static_cast<T>(n));
                auto const mean = [&](auto at, auto const& of) {
                    auto sum = of(at, *models[0]);
                    for (int m = 1; m < n; ++m) sum += of(at, *models[m]);
                    return sum / by;
                };
                auto const value = [k](auto at, model& m) { return at.load(data_of<M>(m.updates.variable(k))); };
                auto const way = [&](auto at, model& m) {
                    if constexpr (compresses<Compression>)
                        return at.load(m.way[static_cast<std::size_t>(k)].template of<T>().dense.values.data());
                    else return at.load(centre) - value(at, m);
                };
                if (trained_.at[k]) settings_.outer->template apply<T, M>(updates_.variable(k), [&](auto at) { return mean(at, way); });
                else each_batch<T>(updates_.elements(k), [&](auto at) { at.store(centre, mean(at, value)); });
            });
            for (int m = 0; m < n; ++m) models[m]->sent = false, models[m]->used = true;
            settings_.outer->end();
            ++step_driver::state(centre_).slots.global_step;
        });
    }
};

}   // namespace detail

/// Local steps with an outer rule (DiLoCo: Douillard et al., 2023, arXiv 2311.08105). With xgrad::gradient_descent{.learning_rate = 1} it
/// is local SGD, or federated averaging.
///
/// After every `period` steps all n workers wait for each other. The mean of their distances from the centre c is the gradient of the outer
/// rule:
///
///     g = (Σ (c − v)) / n
///     c ← outer(c, g)      global step + 1
///     v ← c                all workers continue from the centre
///
/// Examples:
///
///     auto replicas = xg::diloco(train, {.workers = 4, .period = 500});   // outer rule: Nesterov momentum 0.9 with a rate of 0.7
///     auto others = xg::diloco(train, {.workers = 4}, xg::adam{.learning_rate = 0.1});
///     auto ranks = xg::diloco(train, xg::mpi{}, {.period = 500});   // over a transport: one worker in each rank, the centre in rank 0
///     auto few = xg::diloco(train, {.workers = 4}, xg::diloco_rule(), xg::sign_compression{});   // compresses the distances
///
/// - *Checkpoints.* Slots and scalars of the outer rule live in the replicas, and are listed in the variables' store after those of the
///   trainer. A checkpoint contains them if it is saved while the replicas exist, and must be restored while they exist.
/// - *Slots* of workers stay as they are. Those of the trainer are not used.
/// - *Hyper-parameters* of the trainer's rules see the worker's own steps; its first step counts as period · global step. Those of the
///   outer rule see the outer rule's steps.
/// - *Assigned state* of the trainer becomes the mean over the workers.
/// - *Bits.* The result is bitwise equal in all runs in which each worker takes the same steps. The others do not wait for a worker that
///   has ended.
///
/// Throws value_error if workers or period is not positive, or if the outer rule refuses a hyper-parameter.
template<class Train, class Rule, class Compression = no_compression, class Over = in_threads>
class diloco;
/// The outer rule of the paper: Nesterov momentum 0.9 with a rate of 0.7.
inline momentum diloco_rule() { return {.learning_rate = .7, .momentum = .9, .use_nesterov = true}; }
namespace detail {
/// Base class that holds the outer rule, so that it is constructed before the replicas that refer to it. Throws like outer_rule.
template<class P, class Rule>
struct kept_outer_rule {
    owned<outer_rule<Rule>> outer_;

    kept_outer_rule(trainer<P>& train, Rule const& rule)
        : outer_(new outer_rule<Rule>(
              step_driver::state(train).slots.store, local_model<P>::updates_of(train), local_model<P>::trained(train), rule)) {
        [[maybe_unused]] constexpr bool fits = is_outer_rule<Rule>();
    }
};
}   // namespace detail
template<class P, class Rule, class Compression, class Over>
class diloco<trainer<P>, Rule, Compression, Over> : detail::kept_outer_rule<P, Rule>,
                                                    public detail::local_replicas<P, detail::diloco_method<P, Rule, Compression>, Over> {
    using base = detail::local_replicas<P, detail::diloco_method<P, Rule, Compression>, Over>;
    using kept = detail::kept_outer_rule<P, Rule>;
    using kept::outer_;

public:
    explicit diloco(
        trainer<P>& train, diloco_options const& options = {}, Rule const& rule = diloco_rule(), Compression const& compression = {})
        : kept(train, rule), base(train, {options, &*outer_, compression}) {}
    diloco(trainer<P>& train, Over&& over, diloco_options const& options = {}, Rule const& rule = diloco_rule(),
        Compression const& compression = {})
        : kept(train, rule), base(train, std::forward<Over>(over), {options, &*outer_, compression}) {}
    /// Slots, scalars and steps of the outer rule.
    optimizer_state const& outer() const { return outer_->state(); }
    /// Gives access to the hyper-parameters between runs.
    Rule& outer_rule() { return outer_->rule; }
};
template<class P>
diloco(trainer<P>&, diloco_options const& = {}) -> diloco<trainer<P>, momentum>;
template<class P, class Rule>
diloco(trainer<P>&, diloco_options const&, Rule const&) -> diloco<trainer<P>, Rule>;
template<class P, class Rule, class Compression>
diloco(trainer<P>&, diloco_options const&, Rule const&, Compression const&) -> diloco<trainer<P>, Rule, Compression>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
diloco(trainer<P>&, T&&, diloco_options const& = {}) -> diloco<trainer<P>, momentum, no_compression, T>;
template<class P, class T, class Rule>
    requires Transport<std::remove_reference_t<T>>
diloco(trainer<P>&, T&&, diloco_options const&, Rule const&) -> diloco<trainer<P>, Rule, no_compression, T>;
template<class P, class T, class Rule, class Compression>
    requires Transport<std::remove_reference_t<T>>
diloco(trainer<P>&, T&&, diloco_options const&, Rule const&, Compression const&) -> diloco<trainer<P>, Rule, Compression, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
