// SPDX-License-Identifier: MIT
// Workers that move shared variables in place, without locks or with one lock for each variable.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/slot_pointers.hpp>
#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/local/local_options.hpp>
#include <xgrad/replicas/replicable.hpp>
#include <xgrad/train/step_driver.hpp>
#include <xgrad/replicas/replica_runs.hpp>
#include <xgrad/replicas/worker_crew.hpp>
#include <xgrad/replicas/sync/worker_lane.hpp>
#include <xgrad/transport/transport.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Whether two workers may move one variable at the same time.
///
/// - `none`: no locks.
/// - `variable`: like TensorFlow's use_locking. The update of a variable and its slots holds a lock of that variable, so no update is lost.
///   Gradients are still computed without locks.
enum class locking { none, variable };

/// `{.workers = 4}`.
struct hogwild_options {
    int workers = 1;
    xgrad::locking locking = xgrad::locking::none;
    std::stop_token stop{};   // ends the run
    /// A worker that neither calls nor ends for this long is lost, see crew_options.
    std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max();
    int min_workers = 1;   // if a loss leaves fewer workers, the run fails on all of them
};

namespace detail {

template<class R>
inline constexpr bool moves_alone = moves_elements<R> && rule_reductions<R>.count == 0 && power_count<R> == 0;
template<class Rules>
inline constexpr bool all_move_alone = false;
template<class... R>
inline constexpr bool all_move_alone<std::tuple<R...>> = (moves_alone<R> && ...);

/// Checks at compile time whether hogwild works for this program, and explains why not.
template<class P>
consteval bool is_hogwild() {
    constexpr bool alone = all_move_alone<typename P::rules>;
    static_assert(alone,
        "xgrad::hogwild(train, options): the rule has scalars of the optimizer, such as Adam's powers, or sums over a "
        "variable; use a rule without them, such as xgrad::gradient_descent, xgrad::momentum, xgrad::adagrad or xgrad::ftrl");
    return is_replicable<P>() && alone;
}

/// Moves one element that other threads may move at the same time. Each number is read and written atomically, but the whole is not: what
/// another worker writes between the read and the write is lost.
template<class R, class T, class M, std::size_t... K>
XGRAD_INLINE void move_element(typename R::template scalars<T> const& s, M* param, T gradient, [[maybe_unused]] void* const* slots,
    std::int64_t i, std::index_sequence<K...>) {
    auto const relaxed = std::memory_order_relaxed;
    auto const read = [&]<class N>(N* p) { return static_cast<T>(std::atomic_ref<N>(p[i]).load(relaxed)); };
    auto const write = [&]<class N>(N* p, T x) { std::atomic_ref<N>(p[i]).store(narrow_to<N>(x), relaxed); };
    T value = read(param), slot[sizeof...(K) + 1] = {read(static_cast<kernels::slot_memory<R, T, K>*>(slots[K]))...};
    R::update(s, value, gradient, slot);
    write(param, value);
    (write(static_cast<kernels::slot_memory<R, T, K>*>(slots[K]), slot[K]), ...);
}

template<class P>
class hogwild_session {
    using rules = typename P::rules;
    using of_step = step_parts<P>;
    static constexpr int first = of_step::second(), count = P::plan.step_count - first;
    template<int I>
    static constexpr planner::plan_step step_at = P::plan.steps[first + I];
    template<int I>
    using rule_at = std::tuple_element_t<static_cast<std::size_t>(step_at<I>.group), rules>;
    template<int I>
    using type_at = cpp_type_t<step_at<I>.type>;

public:
    static constexpr char const* driver = "hogwild";
    using settings = hogwild_options;
    using report_type = local_report;
    struct model {
        gradient_worker<P> gradients;
        std::vector<given_gradient> rows;   // of slices: sums by row
        std::int64_t draw;                  // selects the random numbers of the next step
        int number;

        model(variable_owner& centre, bool flush, std::int64_t first_draw, int k)
            : gradients(centre, flush), rows(static_cast<std::size_t>(count)), draw(first_draw), number(k) {}
    };

private:
    trainer<P>& centre_;
    mutable std::mutex mutex_;                     // guards the reports and the list of workers
    std::vector<std::shared_ptr<model>> models_;   // null if the worker has ended
    std::vector<local_worker_report> reports_;
    std::int64_t first_draw_;
    float const loss_scale_ = step_driver::loss_scale(centre_);
    std::unique_ptr<std::mutex[]> locks_;   // by variable of the store, or null

    static constexpr auto every_update = std::make_integer_sequence<int, count>{};

    template<int I>
    auto scalars_at(std::int64_t step) const {
        auto const& rule = std::get<static_cast<std::size_t>(step_at<I>.group)>(step_driver::state(centre_).all);
        return rule.template prepare<type_at<I>>(step, nullptr);
    }
    template<int I>
    void sum_rows(model& m) {
        if constexpr (step_at<I>.sparse) {
            given_gradient& g = m.rows[static_cast<std::size_t>(I)];
            g.last = m.gradients.gradient(I);
            g.keep_rows<type_at<I>>(step_at<I>.index_type, row_length(variable(I)), true, true);
        }
    }
    stored_variable const& variable(int k) const {
        auto const& plan = step_driver::state(centre_).run.plan();
        return *centre_.store().find(plan.variables[plan.steps[first + k].variable].hash);
    }
    static std::int64_t row_length(stored_variable const& v) { return v.extents[0] > 0 ? v.size / v.extents[0] : 0; }
    template<int I, class Scalars>
    void update(model& m, Scalars const& s) {
        using R = rule_at<I>;
        using T = type_at<I>;
        stored_variable const& v = variable(I);
        int const number = centre_.store().index_of(v.hash);
        void* const* const slots = step_driver::state(centre_).slots.find(number)->slots;
        std::unique_lock<std::mutex> const lock =
            locks_ ? std::unique_lock(locks_[static_cast<std::size_t>(number)]) : std::unique_lock<std::mutex>();
        visit(v.type, [&]<class M>(std::type_identity<M>) {
            if constexpr (has_gradient(dtype_of<M>)) {
                if constexpr (std::is_same_v<cpp_type_t<computed_type(dtype_of<M>)>, T>) {
                    auto const move = [&](std::int64_t i, T gradient) {
                        move_element<R, T>(s, static_cast<M*>(v.data), gradient, slots, i,
                            std::make_index_sequence<static_cast<std::size_t>(slot_count<R>)>{});
                    };
                    if constexpr (step_at<I>.sparse) {
                        counted_rows<T> const& rows = m.rows[static_cast<std::size_t>(I)].template of<T>().rows.rows;
                        std::int64_t const length = row_length(v);
                        for (std::int64_t r = 0; r < rows.count; ++r)
                            for (std::int64_t e = 0; e < length; ++e)
                                move(rows.indices[static_cast<std::size_t>(r)] * length + e, rows.row(r, length)[e]);
                    } else {
                        auto const* const g = static_cast<T const*>(m.gradients.gradient(I).values);
                        for (std::int64_t i = 0; i < v.size; ++i) move(i, g[i]);
                    }
                }
            }
        });
    }
    template<int... I>
    void apply(model& m, std::int64_t step, std::integer_sequence<int, I...>) {
        auto const scalars = std::tuple(scalars_at<I>(step)...);   // first, because it may throw
        (sum_rows<I>(m), ...);
        xgrad::flush_denormals const guard(step_driver::state(centre_).run.flush);
        (update<I>(m, std::get<static_cast<std::size_t>(I)>(scalars)), ...);
    }

public:
    worker_crew crew;

    hogwild_session(trainer<P>& centre, hogwild_options const& o, fair_shared_mutex&, hogwild_session const*)
        : centre_(centre), first_draw_(centre.store().steps), crew({o.deadline, o.min_workers, o.stop}) {
        step_driver::begin(centre_);   // checks the hyper-parameters
        step_driver::follow(centre_);
        if (o.locking == locking::variable)
            locks_ = std::make_unique<std::mutex[]>(static_cast<std::size_t>(centre_.store().variables().count));
        for (int k = 0; k < o.workers; ++k) join();
    }
    hogwild_session(hogwild_session const&) = delete;
    template<class Work>
    static void run(std::shared_ptr<hogwild_session> const& all, Work&& work, int workers) {
        all->crew.run(all, std::forward<Work>(work), workers);
    }

    void join() {
        std::lock_guard const lock(mutex_);
        reports_.reserve(models_.size() + 1);
        models_.push_back(
            std::make_shared<model>(centre_, step_driver::state(centre_).run.flush, first_draw_, static_cast<int>(models_.size())));
        models_.back()->gradients.scale_loss(loss_scale_);
        reports_.emplace_back();
    }
    void end(int k) {
        std::lock_guard const lock(mutex_);
        models_[static_cast<std::size_t>(k)] = nullptr;
    }
    void lose(int k) {
        {
            std::lock_guard const lock(mutex_);
            reports_[static_cast<std::size_t>(k)].lost = true;
        }
        end(k);
    }
    std::shared_ptr<model> model_of(int k) const {
        std::lock_guard const lock(mutex_);
        return models_[static_cast<std::size_t>(k)];
    }
    int worker_count() const {
        std::lock_guard const lock(mutex_);
        return static_cast<int>(models_.size());
    }
    local_report snapshot() const {
        std::lock_guard const lock(mutex_);
        local_report r{reports_, 0};
        for (local_worker_report const& w : reports_) r.updates += w.steps;
        return r;
    }
    void step(model& m) {
        std::atomic_ref<std::int64_t> const global(step_driver::state(centre_).slots.global_step);
        apply(m, global.load(std::memory_order_relaxed), every_update);
        global.fetch_add(1, std::memory_order_relaxed);
        std::lock_guard const lock(mutex_);
        local_worker_report& mine = reports_[static_cast<std::size_t>(m.number)];
        ++mine.steps;
        ++mine.communications;
    }
    /// Called when all workers have ended. Advances the random numbers, so that later steps draw others than this run.
    void finish() {
        std::int64_t most = 0;
        for (auto const& w : snapshot().workers) most = std::max(most, w.steps);
        centre_.store().steps = std::max(centre_.store().steps, first_draw_ + most);
    }

    /// A worker, as its thread sees it.
    class worker {
        hogwild_session& all_;
        worker_crew::member& member_;
        std::shared_ptr<model> const model_;   // keeps it alive for a thread that was left behind

    public:
        worker(hogwild_session& all, worker_crew::member& member) : all_(all), member_(member), model_(all.model_of(member.number())) {}
        worker(worker const&) = delete;
        /// Computes gradients while others move the variables, then moves them: `worker(x = images)`. Returns the outputs; arrays are views
        /// that are valid until the next call.
        /// Throws like a call of the trainer; then nothing has moved. Throws cancelled_error if another worker has failed, a stop was
        /// requested, or this worker was left behind.
        template<class... B>
        auto operator()(B const&... bindings) {
            worker_crew::inside const in(all_.crew, member_);
            auto const outputs = model_->gradients.compute_gradients(model_->draw, index(), bindings...);
            ++model_->draw;
            all_.step(*model_);
            return outputs;
        }
        /// Numbered from 0.
        int index() const { return member_.number(); }
        /// The number of all workers, including those that have ended.
        int count() const { return all_.worker_count(); }
    };
};

}   // namespace detail

/// Hogwild (Niu, Recht, Ré, Wright, 2011, arXiv 1106.5730). Threads of one process compute with the trainer's variables, and move them and
/// the slots in place, without locks. Meant for gradients that touch few rows of large tables, where workers seldom collide.
///
///     auto replicas = xg::hogwild(train, {.workers = 4});
///     replicas.run([&](auto& worker) { for (auto const& row : mine) worker(x = row); });
///
/// This is a data race on purpose:
/// - Each number is written atomically (relaxed std::atomic_ref, element by element), but kernels read it like ordinary memory. A gradient
///   may mix variables from before and after another worker's step.
/// - If two workers move the same element, one of the moves may be lost, unless `.locking = locking::variable`.
/// - Nothing else is shared without synchronization: each worker has its own gradients, sums of slices and random numbers.
///
/// Results depend on timing. With one worker they are bitwise equal to those of the trainer. Rules must have neither scalars of the
/// optimizer nor reductions. Slices move only the rows that occur.
/// All workers call functions among the hyper-parameters, concurrently, with the global step. Throws value_error if workers is not
/// positive.
template<class Train, class Over = in_threads>
class hogwild;
template<class P>
class hogwild<trainer<P>, in_threads> : public detail::replica_runs<P, detail::hogwild_session<P>> {
public:
    explicit hogwild(trainer<P>& train, hogwild_options const& options = {})
        : detail::replica_runs<P, detail::hogwild_session<P>>(train, options) {
        [[maybe_unused]] constexpr bool fits = detail::is_hogwild<P>();
        if (options.workers < 1) raise_parts<value_error>({"xgrad: hogwild: workers must be positive, but is ", options.workers});
    }
};
template<class P>
hogwild(trainer<P>&, hogwild_options const& = {}) -> hogwild<trainer<P>>;
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
class hogwild<trainer<P>, T> {
public:
    hogwild(trainer<P>&, T&&, hogwild_options const& = {}) {
        static_assert(sizeof(trainer<P>) == 0,
            "xgrad::hogwild(train, transport): a transport is given, but ranks have no common memory for one copy of the "
            "variables; over a transport write xgrad::downpour");
    }
    template<class Work>
    local_report run(Work&&) {
        return {};
    }
};
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
hogwild(trainer<P>&, T&&, hogwild_options const& = {}) -> hogwild<trainer<P>, T>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
