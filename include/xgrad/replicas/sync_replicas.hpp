// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between threads: workers with variables of their own, and one update of the mean of their gradients.
#pragma once

#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/sync_protocol.hpp>
#include <xgrad/replicas/update_steps.hpp>
#include <xgrad/replicas/waiting.hpp>
#include <xgrad/replicas/worker_lane.hpp>
#include <xgrad/train/trainer.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// A worker has thrown: what it said, and which one it was.
struct worker_error : error {
    int worker;
    std::exception_ptr cause;
    worker_error(int number, std::exception_ptr what, std::string const& text)
        : error(message({"xgrad: worker ", number, ": ", text})), worker(number), cause(std::move(what)) {}
};

/// How replicas train together. `{.workers = 4, .replicas_to_aggregate = 3}` has one backup worker.
struct sync_options {
    int workers = 1;                 // total_num_replicas
    int replicas_to_aggregate = 0;   // 0: as many as there are workers
    /// Tokens that are there at first. As many as replicas_to_aggregate, -1, is TensorFlow's default: each worker's second gradient is then too old and is
    /// dropped. The least number, replicas_to_aggregate - workers or 0, wastes none.
    std::int64_t initial_tokens = -1;
    /// Whether slices are sorted, and those of one row summed, before they are averaged. Without it they are merged as TensorFlow merges them.
    bool sort_and_sum = true;
    std::stop_token stop{};   // ends every wait
};

/// What has become of the gradients of one worker.
struct worker_report {
    std::int64_t steps = 0, accepted = 0, dropped = 0;
    double waited = 0;   // seconds, for tokens
};
/// Of a run.
struct sync_report {
    std::vector<worker_report> workers;
    std::int64_t updates = 0;
    std::int64_t left = 0;   // gradients that have come since the last update
};

namespace detail {

struct trainer_access {
    template<class P>
    static auto& state(trainer<P>& t) {
        return *t.state_;
    }
    template<class P>
    static double* begin(trainer<P>& t) {
        return t.begin(typename trainer<P>::every_group{});
    }
};

/// The sum of the gradients of all workers in order, divided; each worker's own sum first.
template<class T>
class sum_of_lanes {
    struct source {
        T const *before, *last;   // one of them may be null
    };
    std::vector<source> sources_;
    T divisor_;

public:
    sum_of_lanes(std::vector<worker_lane> const& lanes, std::size_t k, std::int64_t count) : divisor_(static_cast<T>(count)) {
        for (worker_lane const& lane : lanes) {
            if (lane.count == 0) continue;
            given_gradient const& g = lane.updates[k];
            T const* const before = lane.sums_before() ? reinterpret_cast<T const*>(g.before.data()) : nullptr;
            sources_.push_back({before, lane.pending ? static_cast<T const*>(g.last.values) : nullptr});
        }
    }
    void operator()(T* to, std::int64_t first, std::int64_t n) const {
        constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
        simd::batch<T> const by(divisor_);
        std::int64_t i = 0;
        for (; i + width <= n; i += width)
            simd::store(to + i, added([&](T const* p) { return simd::load(p + first + i); }, simd::batch<T>(T(0))) / by);
        for (; i < n; ++i) to[i] = added([&](T const* p) { return p[first + i]; }, T(0)) / divisor_;
    }

private:
    template<class Load, class V>
    XGRAD_INLINE V added(Load const& load, V sum) const {
        for (std::size_t s = 0; s < sources_.size(); ++s) {
            source const& from = sources_[s];
            V const own = from.before == nullptr ? load(from.last)
                          : from.last == nullptr ? load(from.before)
                                                 : load(from.before) + load(from.last);
            sum = s == 0 ? own : sum + own;
        }
        return sum;
    }
};

}   // namespace detail

template<class Trainer>
class sync_replicas;

/// Workers in threads of one process, on the trainer of minimize<gating::graph>. Each has copies of the variables, computes gradients with them, and takes
/// the new values when it takes a token. The one whose gradient is the last that is needed sums all of them, in the order of the workers, and updates the
/// variables of the trainer with the mean, while the gradients pass through the first cache. So what comes out depends on which gradients have been
/// accepted, not on when they came.
///
/// Variables, slots and global step are those of the trainer, to which nothing else may be done during run().
template<class P>
class sync_replicas<trainer<P>> {
    using parts = detail::step_parts<P>;
    static consteval bool can_be_shared() {
        constexpr bool gated = requires { P::refused; } || P::gate == gating::graph;
        static_assert(gated, "xgrad::sync_replicas(train, options): replicas have all gradients before all updates; make the trainer with "
                             "minimize<xgrad::gating::graph>(...)");
        constexpr bool alone = [] {
            for (int i = parts::second(); i < P::plan.step_count; ++i)
                if (P::plan.steps[i].kind != planner::step_kind::update || planner::reads_new(P::plan, P::plan.steps[i])) return false;
            return !parts::has_late_result();
        }();
        static_assert(alone || !gated,
            "xgrad::sync_replicas(train, options): the step of this trainer reads updated(v), which a worker does not have; leave out "
            "what is made of it");
        constexpr bool over_all = detail::reduces_over_all<typename P::rules>;
        static_assert(!over_all,
            "xgrad::sync_replicas(train, options): a rule with reductions over all variables, as prodigy, needs all gradients at once, which "
            "replicas sum one after the other; use another rule");
        return gated && alone && !over_all;
    }

    struct waiter : detail::waiting_list::waiter {
        int worker = 0;
    };

    trainer<P>& train_;
    sync_options options_;
    detail::update_steps updates_;
    std::shared_mutex variables_;   // of the trainer: workers read them, an update writes them
    std::mutex mutex_;              // of all that follows
    detail::waiting_list waiting_;
    std::unique_ptr<sync_protocol> protocol_;
    std::vector<detail::worker_lane> lanes_;
    std::vector<std::unique_ptr<detail::gradient_worker<P>>> models_;
    sync_report report_;

    detail::worker_lane& lane(int k) { return lanes_[static_cast<std::size_t>(k)]; }
    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }

    void begin() {
        train_.reserve();   // addresses as they are now
        updates_.follow();
        protocol_.reset(
            new sync_protocol({options_.workers, options_.replicas_to_aggregate, options_.initial_tokens}, train_.global_step()));
        auto const n = static_cast<std::size_t>(options_.workers);
        report_ = {};
        report_.workers.resize(n);
        lanes_.resize(n);
        models_.clear();
        for (detail::worker_lane& l : lanes_) {
            l.updates.resize(static_cast<std::size_t>(updates_.count()));
            l.clear();
        }
        for (std::size_t k = 0; k < n; ++k) {
            models_.emplace_back(new detail::gradient_worker<P>(train_.store()));
            models_.back()->pull(train_.store());
        }
    }
    // All below with mutex_ held.
    template<class T>
    void apply(int k, std::int64_t count) {
        auto const at = static_cast<std::size_t>(k);
        if (!updates_.step(k).sparse) return updates_.template dense<T>(k, detail::sum_of_lanes<T>(lanes_, at, count));
        std::int64_t const length = updates_.row_length(k);
        detail::sparse_sum<T>* all = nullptr;
        for (detail::worker_lane& l : lanes_) {
            if (l.count == 0) continue;
            detail::given_gradient& g = l.updates[at];
            if (l.pending) detail::absorb_rows<T>(g, updates_.step(k).index_type, length, options_.sort_and_sum, !l.sums_before());
            if (all == nullptr) all = &g.template sparse<T>();
            else {
                detail::merge_rows(all->rows, g.template sparse<T>().rows, length, all->merged);
                std::swap(all->rows, all->merged);
            }
        }
        detail::counted_rows<T>& rows = all->rows;
        for (std::int64_t r = 0; r < rows.count; ++r)
            detail::add_all(rows.values.data() + r * length, static_cast<T const* const*>(nullptr), 0,
                static_cast<T>(rows.counters[static_cast<std::size_t>(r)]), length);
        updates_.template sparse<T>(k, rows.values.data(), rows.indices.data(), rows.count);
    }
    void update() {
        if (!protocol_->can_update()) return protocol_->update();   // which says so
        std::unique_lock const alone(variables_);
        detail::trainer_access::begin(train_);   // may throw; nothing has changed then
        std::int64_t const count = protocol_->fresh();
        {
            flush_denormals const guard(true);
            for (int k = 0; k < updates_.count(); ++k)
                if (updates_.step(k).type == dtype::float64) apply<double>(k, count);
                else apply<float>(k, count);
        }
        detail::trainer_access::state(train_).count_step(train_.store(), true);
        for (detail::worker_lane& l : lanes_) l.clear();
        protocol_->update();
        ++report_.updates;
        hand_out();
    }
    // Tokens to those who wait, first come first.
    void hand_out() {
        while (waiting_.first() != nullptr && protocol_->begin(static_cast<waiter*>(waiting_.first())->worker)) waiting_.serve_first();
    }
    bool push(int k) {
        bool const fresh = protocol_->push(k);
        ++report(k).steps;
        ++(fresh ? report(k).accepted : report(k).dropped);
        if (!fresh) return false;
        detail::worker_lane& l = lane(k);
        for (std::size_t u = 0; u < l.updates.size(); ++u)
            l.updates[u].last = models_[static_cast<std::size_t>(k)]->gradient(static_cast<int>(u));
        ++l.count;
        l.pending = true;
        return true;
    }
    // Worker k goes on: what it has given will be overwritten.
    void keep_last(int k) {
        detail::worker_lane& l = lane(k);
        if (!l.pending) return;
        for (int u = 0; u < updates_.count(); ++u) {
            detail::given_gradient& g = l.updates[static_cast<std::size_t>(u)];
            planner::plan_step const& s = updates_.step(u);
            bool const first = !l.sums_before();
            if (s.type == dtype::float64)
                s.sparse ? detail::absorb_rows<double>(g, s.index_type, updates_.row_length(u), options_.sort_and_sum, first)
                         : detail::absorb_dense<double>(g, updates_.elements(u), first);
            else
                s.sparse ? detail::absorb_rows<float>(g, s.index_type, updates_.row_length(u), options_.sort_and_sum, first)
                         : detail::absorb_dense<float>(g, updates_.elements(u), first);
        }
        l.pending = false;
    }
    // Gives the gradient of worker k, and waits for a token. Both at once, so that each of those who wait when an update comes gets one of its tokens,
    // and nobody a second one before.
    void give_and_wait(int k, std::stop_token const& stop) {
        auto const start = std::chrono::steady_clock::now();
        std::unique_lock lock(mutex_);
        push(k);
        waiter w;
        w.worker = k;
        waiting_.enter(w);
        try {
            if (protocol_->can_update()) update();
        } catch (...) {
            waiting_.leave(w);
            throw;
        }
        hand_out();
        auto const result = waiting_.wait(w, lock, {.stop = stop});
        report(k).waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (result != detail::wait_result::served) raise<cancelled_error>("xgrad: sync replicas: the wait for a token was cancelled");
        keep_last(k);
    }
    void end(int k) {
        std::lock_guard const lock(mutex_);
        protocol_->end(k);
        hand_out();
    }

public:
    /// One worker, in its thread.
    class worker {
        friend class sync_replicas;
        sync_replicas& all_;
        int index_;
        std::stop_token stop_;
        std::int64_t step_;

        worker(sync_replicas& all, int index, std::stop_token stop, std::int64_t step)
            : all_(all), index_(index), stop_(std::move(stop)), step_(step) {}

    public:
        /// Computes gradients with the variables as they were when the last token was taken, gives them, and waits for a token: `worker(x = images)`. Returns
        /// the outputs. Throws as a call of the trainer, and then nothing has been given; cancelled_error where another worker has failed or
        /// a stop was requested.
        template<class... B>
        auto operator()(B const&... bindings) {
            if (stop_.stop_requested()) raise<cancelled_error>("xgrad: sync replicas: a stop was requested");
            auto& model = *all_.models_[static_cast<std::size_t>(index_)];
            auto const outputs = model.compute_gradients(step_++, index_, bindings...);
            all_.give_and_wait(index_, stop_);
            std::shared_lock const reading(all_.variables_);
            model.pull(all_.train_.store());
            return outputs;
        }
        /// From 0 on.
        int index() const { return index_; }
        /// Of all workers.
        int count() const { return all_.options_.workers; }
    };

    /// The same replicas event by event, in one thread: what a schedule says, and nothing else, happens. So a trace of another system, or a schedule that
    /// was found to go wrong, is a test.
    class replay {
        sync_replicas& all_;
        std::vector<std::int64_t> steps_;

    public:
        /// All workers begin to compute with the variables as they are.
        explicit replay(sync_replicas& all) : all_(all) {
            all.begin();
            steps_.assign(static_cast<std::size_t>(all.options_.workers), all.train_.store().steps);
        }
        /// Worker k computes gradients with the variables that it has.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            return all_.models_.at(static_cast<std::size_t>(k))
                ->compute_gradients(steps_.at(static_cast<std::size_t>(k))++, k, bindings...);
        }
        /// Worker k gives what it has computed last; whether it counts.
        bool push(int k) { return all_.push(k); }
        /// Worker k takes a token and the variables as they are now; false where there is none.
        bool begin(int k) {
            if (!all_.protocol_->begin(k)) return false;
            all_.keep_last(k);
            all_.models_[static_cast<std::size_t>(k)]->pull(all_.train_.store());
            return true;
        }
        bool can_update() const { return all_.protocol_->can_update(); }
        /// Of all gradients that have come. Throws value_error where these are too few.
        void update() { all_.update(); }
        void end(int k) { all_.end(k); }
        /// Tokens, local steps, fresh gradients.
        sync_protocol const& state() const { return *all_.protocol_; }
    };

    /// Throws value_error where the first update could never be reached.
    sync_replicas(trainer<P>& train, sync_options const& options)
        : train_(train), options_(options),
          updates_(detail::trainer_access::state(train).run, train.store(), parts::second(), P::plan.step_count) {
        [[maybe_unused]] constexpr bool fits = can_be_shared();
        sync_protocol const checked({options.workers, options.replicas_to_aggregate, options.initial_tokens});
    }
    sync_replicas(sync_replicas const&) = delete;

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended. A worker that ends leaves the rest to the others. What one of them
    /// throws ends all others at their next wait, and comes out as worker_error when they have.
    template<class Work>
    sync_report run(Work const& work) {
        begin();
        std::int64_t const steps = train_.store().steps;
        std::stop_source stop;
        std::stop_callback const asked(options_.stop, [&] { stop.request_stop(); });
        std::exception_ptr failed;
        int failed_worker = -1;
        {
            std::vector<std::jthread> threads;
            for (int k = 0; k < options_.workers; ++k)
                threads.emplace_back([&, k] {
                    try {
                        worker mine(*this, k, stop.get_token(), steps);
                        work(mine);
                    } catch (...) {
                        bool const first = !stop.stop_requested();
                        if (std::lock_guard const lock(mutex_); first && failed == nullptr) {
                            failed = std::current_exception();
                            failed_worker = k;
                        }
                        stop.request_stop();   // the waits that it ends want the mutex
                    }
                    end(k);
                });
        }
        report_.left = protocol_->fresh();
        if (failed != nullptr) rethrow(failed, failed_worker);
        return report_;
    }

private:
    [[noreturn]] static void rethrow(std::exception_ptr const& what, int worker) {
        try {
            std::rethrow_exception(what);
        } catch (std::exception const& e) { throw worker_error(worker, what, e.what()); } catch (...) {
            throw worker_error(worker, what, "an exception of a type that xgrad does not know");
        }
    }
};
template<class P>
sync_replicas(trainer<P>&, sync_options const&) -> sync_replicas<trainer<P>>;

XGRAD_NAMESPACE_END
