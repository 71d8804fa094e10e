// SPDX-License-Identifier: MIT
// Asynchronous replicas: each gradient of a worker moves the centre as soon as it arrives.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/compressed_gradient.hpp>
#include <xgrad/replicas/local/delay_compensation.hpp>
#include <xgrad/replicas/ranks/local_ranks.hpp>
#include <xgrad/replicas/local/moved_variables.hpp>
#include <xgrad/replicas/accumulators/sum_of_lanes.hpp>

#include <optional>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// `{.workers = 4}` is asynchronous gradient descent with the trainer's rule, `{.workers = 4, .push_period = 5, .pull_period = 5}`
/// Downpour.
struct downpour_options {
    int workers = 1;
    /// Steps of a worker between two pushes. A push gives the centre the sum of the gradients of these steps.
    int push_period = 1;
    /// Steps of a worker between two pulls of the centre's variables. In between the worker takes its own steps.
    int pull_period = 1;
    /// Largest accepted age of a gradient: the number of updates between the worker's pull and its push. Older gradients are dropped.
    std::optional<std::int64_t> staleness{};
    delay_compensation compensation{};
    std::stop_token stop{};   // ends the run
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
    /// Called after each update of the centre with its global step. No other update happens before it returns. If it throws, the run ends.
    std::function<void(std::int64_t)> on_update{};
};

namespace detail {

template<class P, class Compression>
class downpour_method {
public:
    struct settings : downpour_options {
        Compression compression;
    };
    static constexpr std::string_view name = "downpour";

    struct gradient_of_worker : compressed_gradient<Compression> {
        bool pending = false;   // the gradient is still in the memory where it was computed
    };
    struct model : local_model<P> {
        std::vector<gradient_of_worker> sums;
        moved_values taken;            // for compensation: the variables at the last pull
        std::int64_t since_pull = 0;   // steps since the last pull
        std::int64_t reckoned = 0;     // gradients added to the sums
        bool compressed = false;       // the sums hold decoded messages that the centre has not used yet
        exchange_result result{};      // of the last exchange
        bool has_pulled = false;       // in the last exchange

        model(new_worker<P> const& w, settings const& s) : local_model<P>(w) {
            plan_updates const updates = local_model<P>::updates_of(w.centre);
            sums.resize(static_cast<std::size_t>(updates.steps().count()));
            if (s.compensation.lambda != 0) taken.make_room(updates);
            each_update(updates.steps(), [&](int u, auto t) {
                if (!updates.steps().step(u).sparse)
                    sums[static_cast<std::size_t>(u)].template make_sender<decltype(t)>(s.compression, updates.elements(u));
            });
        }
    };

private:
    trainer<P>& centre_;
    settings const& settings_;
    plan_updates updates_;   // of the centre
    sequence<bool> trained_;
    std::vector<given_gradient> squares_;   // mean squares of delay compensation, dense

    bool compensates() const { return settings_.compensation.lambda != 0; }
    bool steps_alone() const { return settings_.pull_period > 1; }
    // Whether gradients must be copied. They can stay where they were computed if nothing overwrites or changes them before the exchange.
    bool keeps() const { return steps_alone() || settings_.push_period > 1 || compensates() || compresses<Compression>; }

    template<class F>
    void each(model& m, F const& f) {
        each_update(updates_.steps(), [&](int k, auto t) { f(k, t, m.sums[static_cast<std::size_t>(k)]); });
    }
    void pull(model& m) {
        m.pull(centre_);
        m.since_pull = 0;
        if (compensates()) m.taken.take(updates_);
    }
    void forget(model& m) {
        bool const unused = std::exchange(m.compressed, false);
        m.since = m.reckoned = 0;
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            g.template of<decltype(t)>().rows.clear();
            if (unused && sends(k)) g.template take_back<decltype(t)>();
            g.pending = false;
        });
    }
    void keep(model& m) {
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            using T = decltype(t);
            planner::plan_step const& s = updates_.steps().step(k);
            g.last = m.gradient(k);
            if (s.sparse) g.template keep_rows<T>(s.index_type, updates_.steps().row_length(k), true, m.reckoned == 0);
            else if (keeps()) g.template keep_dense<T>(updates_.steps().elements(k), m.reckoned == 0 || !trained_.at[k]);
            else g.pending = true;
        });
        ++m.reckoned;
    }
    template<class T>
    T* squares(int k) {
        if (settings_.compensation.decay <= 0) return nullptr;
        return squares_[static_cast<std::size_t>(k)].of<T>().dense.values.data();
    }
    // The preparation for apply(): everything that may throw, and everything that reads variables while no update runs.
    void make_ready(model& m) {
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            using T = decltype(t);
            if (!updates_.steps().step(k).sparse) return;
            counted_rows<T> const& rows = g.template of<T>().rows.rows;
            updates_.steps().template give_rows<T>(k, rows.values.data(), rows.indices.data(), rows.count);
            updates_.steps().template make_room<T>(k, updates_.room(), rows.count);
        });
        if (!compensates()) return;
        each_moved(updates_, [&](int k, auto t, auto memory) {
            using T = decltype(t);
            using M = decltype(memory);
            if (!trained_.at[k]) return;
            auto& sum = m.sums[static_cast<std::size_t>(k)].template of<T>();
            M const *const now = data_of<M>(updates_.variable(k)), *const then = m.taken.template of<M>(k);
            if (!updates_.steps().step(k).sparse)
                return compensate(sum.dense.values.data(), now, then, squares<T>(k), settings_.compensation, updates_.elements(k));
            std::int64_t const length = updates_.steps().row_length(k);
            counted_rows<T>& rows = sum.rows.rows;
            for (std::int64_t r = 0; r < rows.count; ++r) {
                std::int64_t const first = rows.indices[static_cast<std::size_t>(r)] * length;
                T* const s = squares<T>(k);
                compensate(rows.values.data() + r * length, now + first, then + first, s == nullptr ? s : s + first, settings_.compensation,
                    length);
            }
        });
    }
    // Whether gradient k is compressed. Slices and assigned state are sent as they are.
    bool sends(int k) const { return !updates_.steps().step(k).sparse && trained_.at[k]; }
    // The worker's part of a push, before it holds the lock of the centre.
    void compress(model& m) {
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            if (sends(k)) g.template compress<decltype(t)>(updates_.steps().elements(k));
        });
        m.compressed = compresses<Compression>;
    }
    void apply(model& m) {
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            using T = decltype(t);
            auto& sum = g.template of<T>();
            if (updates_.steps().step(k).sparse) return updates_.steps().sparse(k, updates_.room(), 0, updates_.steps().table_rows(k));
            T const* const from = g.pending ? static_cast<T const*>(g.last.values) : sum.dense.values.data();
            updates_.steps().template dense<T>(
                k, updates_.room(), 0, updates_.steps().elements(k), [from](T* to, std::int64_t first, std::int64_t n) {
                    std::memcpy(to, from + first, static_cast<std::size_t>(n) * sizeof(T));
                });
        });
    }

public:
    downpour_method(trainer<P>& centre, settings const& s)
        : centre_(centre), settings_(s), updates_(local_model<P>::updates_of(centre)), trained_(local_model<P>::trained(centre)) {}
    void start() {
        updates_.steps().follow();
        squares_.resize(static_cast<std::size_t>(updates_.steps().count()));
        each_update(updates_.steps(), [&](int k, auto t) {
            using T = decltype(t);
            if (!updates_.steps().step(k).sparse) updates_.steps().template make_room<T>(k, updates_.room());
            if (settings_.compensation.decay <= 0) return;
            auto const n = static_cast<std::size_t>(updates_.elements(k));
            squares_[static_cast<std::size_t>(k)].template of<T>().dense.values.grow_to(n);
            std::fill_n(squares<T>(k), n, T(0));
        });
    }
    static bool meets() { return false; }
    void begin(model& m) {
        pull(m);
        forget(m);
    }
    bool step(model& m) {
        if (steps_alone()) m.apply(m.pulled, [&] { keep(m); });
        else {
            keep(m);
            m.count();
        }
        ++m.since_pull;
        if (m.since == settings_.push_period) compress(m);
        return m.since == settings_.push_period || m.since_pull == settings_.pull_period;
    }
    static void check(settings const& s) {
        if (s.push_period < 1 || s.pull_period < 1)
            raise_parts<value_error>(
                {"xgrad: downpour: periods must be positive, but are ", s.push_period, " (push) and ", s.pull_period, " (pull)"});
        s.compensation.check();
        if (scales_loss<typename P::rules> && s.compensation.lambda != 0)
            raise<value_error>("xgrad: downpour: a compensation takes the square of gradients, which the link fixed_loss_scale has "
                               "multiplied; remove one of them");
        s.compression.check(0);
    }
    static void describe(std::string& text, settings const& s) {
        append(text, {"push_period: ", s.push_period, "\npull_period: ", s.pull_period, "\n"});
        if (s.staleness) append(text, {"staleness: ", *s.staleness, "\n"});
        detail::describe(text, "lambda", s.compensation.lambda);
        detail::describe(text, "decay", s.compensation.decay);
        describe_compression(text, s.compression);
    }
    template<class Move>
    exchange_result exchange(model& m, Move const& move) {
        auto& result = m.result = exchange_result::taken;
        if (m.since == settings_.push_period) {
            result = settings_.staleness && centre_.global_step() - m.pulled > *settings_.staleness ? exchange_result::refused
                                                                                                    : exchange_result::moved;
            if (result == exchange_result::moved) {
                step_driver::begin(centre_);
                make_ready(m);
                move([&] {
                    apply(m);
                    step_driver::state(centre_).count_step(centre_.store(), false);
                    m.compressed = false;
                });
            }
            forget(m);
        }
        m.has_pulled = m.since_pull == settings_.pull_period;
        if (m.has_pulled) pull(m);
        return result;
    }
    /// Reads or writes what a worker keeps from run to run.
    template<class Pass>
    static void keep(model& m, Pass const& pass) {
        pass(m.compressed);
        for (auto& sum : m.sums) sum.pass_left(pass);
    }
    template<class Pass>
    void give(model& m, Pass const& pass) {
        pass(m.since);
        pass(m.since_pull);
        if (m.since < settings_.push_period) return;
        each(m, [&](int k, auto t, gradient_of_worker& g) {
            using T = decltype(t);
            auto& sum = g.template of<T>();
            if (updates_.steps().step(k).sparse) return pass_rows(pass, sum.rows.rows, updates_.steps().row_length(k));
            auto const n = static_cast<std::size_t>(updates_.steps().elements(k));
            if constexpr (Pass::reads) sum.dense.values.grow_to(n);
            if constexpr (compresses<Compression>)
                if (sends(k)) return g.template pass<T>(pass, updates_.steps().elements(k));
            if constexpr (Pass::reads) pass(sum.dense.values.data(), n * sizeof(T));
            else pass(g.pending ? g.last.values : sum.dense.values.data(), n * sizeof(T));
        });
    }
    template<class Pass>
    void reply(model& m, Pass const& pass) {
        pass(m.result);
        pass(m.has_pulled);
        if (m.has_pulled) pass_centre(pass, centre_, updates_);
    }
    void resume(model& m) {
        if (m.result == exchange_result::moved) m.compressed = false;
        if (m.result != exchange_result::taken) forget(m);
        if (m.has_pulled) pull(m);
    }
};

}   // namespace detail

/// Asynchronous replicas (Downpour: Dean et al., 2012, "Large Scale Distributed Deep Networks").
///
/// - *Push.* After every `push_period` steps of a worker the sum of its gradients moves the centre immediately. This uses the trainer's
///   rule and slots of the centre. The global step grows by one.
/// - *Pull.* After every `pull_period` steps the worker copies the variables of the centre.
/// - *Own steps.* If pull_period is above 1, the worker moves its copies between two pulls, by the same rule with its own slots.
///
///     auto replicas = xg::downpour(train, {.workers = 4});                   // pushes each gradient, pulls before each step
///     auto others = xg::downpour(train, {.workers = 4, .staleness = 2});   // drops older ones: contrib's DropStaleGradientOptimizer
///     auto late = xg::downpour(train, {.workers = 4, .compensation = {.lambda = 0.04}});    // DC-ASGD
///     auto ranks = xg::downpour(train, xg::mpi{});   // over a transport: one worker in each rank, the centre in rank 0
///     auto few = xg::downpour(train, {.workers = 4}, xg::top_k_compression{.fraction = 0.01});
///
/// - *Staleness.* The age of a gradient is the number of updates since its worker's last pull. With `.staleness` older gradients are
///   dropped and counted. A dropped gradient changes nothing, not even the residual of the compression.
/// - *Compression*, with its residual, applies to dense gradients. Slices are sent as they are, after rows of one index have been summed.
///   The residual stays with the worker from run to run; the mean squares of an adaptive compensation do not.
/// - *Compensation* with several steps between two pushes is that of the sum, from the variables of the last pull.
/// - *Hyper-parameters* that depend on the step see the current global step. In a worker's own steps they see that of its last pull.
/// - *Assigned state* of the trainer becomes what the worker has computed for it.
///
/// Throws value_error if workers or a period is not positive, and for what the compensation or the compression refuses.
template<class Train, class Compression = no_compression, class Over = in_threads>
class downpour;
template<class P, class Compression, class Over>
class downpour<trainer<P>, Compression, Over> : public detail::local_replicas<P, detail::downpour_method<P, Compression>, Over> {
    using base = detail::local_replicas<P, detail::downpour_method<P, Compression>, Over>;

public:
    explicit downpour(trainer<P>& train, downpour_options const& options = {}, Compression const& compression = {})
        : base(train, {options, compression}) {}
    downpour(trainer<P>& train, Over&& over, downpour_options const& options = {}, Compression const& compression = {})
        : base(train, std::forward<Over>(over), {options, compression}) {}
};
template<class P>
downpour(trainer<P>&, downpour_options const& = {}) -> downpour<trainer<P>>;
template<class P, class Compression>
downpour(trainer<P>&, downpour_options const&, Compression const&) -> downpour<trainer<P>, Compression>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
downpour(trainer<P>&, T&&, downpour_options const& = {}) -> downpour<trainer<P>, no_compression, T>;
template<class P, class T, class Compression>
    requires Transport<std::remove_reference_t<T>>
downpour(trainer<P>&, T&&, downpour_options const&, Compression const&) -> downpour<trainer<P>, Compression, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
