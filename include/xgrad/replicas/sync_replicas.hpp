// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between threads: workers with variables of their own, and one update of the mean of their gradients.
#pragma once

#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/mean_update.hpp>
#include <xgrad/replicas/sync_options.hpp>
#include <xgrad/replicas/sync_protocol.hpp>
#include <xgrad/transport/waiting.hpp>
#include <xgrad/train/trainer.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <shared_mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"   // g++ 12 has it of its own constructor, which gives *this to another one
#endif
XGRAD_NOINLINE inline std::stop_source new_stop_source() { return {}; }
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic pop
#endif

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

}   // namespace detail

template<class T>
class sync_replicas;

/// Workers in threads of one process, on the trainer of minimize<gating::graph>. Each has copies of the variables, computes gradients with them, and takes
/// the new values when it takes a token. The one whose gradient is the last that is needed sums all of them, in the order of the workers, and updates the
/// variables of the trainer with the mean, while the gradients pass through the first cache. So what comes out depends on which gradients have been
/// accepted, not on when they came.
///
/// Variables, slots and global step are those of the trainer, which stays where it is as long as the replicas live, and to which nothing else may be done
/// during run(). State of float or double that the trainer assigns becomes the mean of what the workers make of it.
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
        constexpr bool averaged = [] {
            for (int i = parts::second(); i < P::plan.step_count; ++i)
                if (P::plan.steps[i].type != dtype::float32 && P::plan.steps[i].type != dtype::float64) return false;
            return true;
        }();
        static_assert(averaged || !gated || !alone,
            "xgrad::sync_replicas(train, options): this trainer assigns to a variable that is not float or double, and what its workers make of it has no "
            "mean; leave the assignment out");
        return gated && alone && !over_all && averaged;
    }

    struct waiter : detail::waiting_list::waiter {
        int worker = 0;
    };

    trainer<P>& train_;
    sync_options options_;
    detail::mean_update mean_;
    std::shared_mutex variables_;   // of the trainer: workers read them, an update writes them
    std::mutex mutex_;              // of all that follows
    detail::waiting_list waiting_;
    std::unique_ptr<sync_protocol> protocol_;
    std::vector<std::unique_ptr<detail::gradient_worker<P>>> models_;
    std::vector<std::int64_t> draws_;   // of each worker: which random numbers its next step draws
    sync_report report_;
    bool updating_ = false;
    std::stop_source stop_{std::nostopstate};   // of the present run
    std::exception_ptr failed_;                 // what has ended it, and in which worker
    int failed_worker_ = -1;

    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }

    bool flushes() { return detail::trainer_access::state(train_).run.flush; }
    // Later steps draw other numbers than those of this run.
    void finish() {
        for (std::int64_t const d : draws_) train_.store().steps = std::max(train_.store().steps, d);
    }
    void begin() {
        train_.reserve();   // addresses as they are now
        protocol_.reset(
            new sync_protocol({options_.workers, options_.replicas_to_aggregate, options_.initial_tokens}, train_.global_step()));
        auto const n = static_cast<std::size_t>(options_.workers);
        report_ = {};
        report_.workers.resize(n);
        mean_.begin(options_.workers);
        draws_.assign(n, train_.store().steps);
        updating_ = false;
        stop_ = detail::new_stop_source();
        failed_ = nullptr;
        failed_worker_ = -1;
        models_.clear();
        for (std::size_t k = 0; k < n; ++k) {
            models_.emplace_back(new detail::gradient_worker<P>(train_.store(), flushes()));
            models_.back()->pull(train_.store());
        }
    }
    // All below with mutex_ held.
    // What may throw comes first: all sums of rows, all memory. The functions among the hyper-parameters have been called.
    void update() {
        protocol_->expect_update();
        flush_denormals const guard(flushes());
        protocol_->make_room();
        mean_.gather(options_.sort_and_sum);
        std::unique_lock const alone(variables_);
        mean_.apply(protocol_->fresh());
        detail::trainer_access::state(train_).count_step(train_.store(), true);
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
        mean_.give(k, [&](int update) { return models_[static_cast<std::size_t>(k)]->gradient(update); });
        return true;
    }
    // What ends the run: of several the first.
    void fail(std::unique_lock<std::mutex>& lock, int k) {
        if (failed_ == nullptr) {
            failed_ = std::current_exception();
            failed_worker_ = k;
        }
        lock.unlock();
        stop_.request_stop();   // the waits that it ends want the mutex
    }
    // Gives the gradient of worker k, and waits for a token. Both at once, so that each of those who wait when an update comes gets one of its tokens,
    // and nobody a second one before.
    void give_and_wait(int k) {
        auto const start = std::chrono::steady_clock::now();
        std::unique_lock lock(mutex_);
        push(k);
        waiter w;
        w.worker = k;
        bool entered = false;
        try {
            bool const mine = protocol_->can_update() && !updating_;
            if (mine) {
                updating_ = true;
                lock.unlock();   // they may do anything, such as ask for a stop
                detail::trainer_access::begin(train_);
                lock.lock();
                updating_ = false;
            }
            waiting_.enter(w);
            entered = true;
            if (mine) update();
        } catch (...) {   // it is not the fault of this worker: no update can come any more
            if (!lock.owns_lock()) lock.lock();
            if (entered) waiting_.leave(w);
            fail(lock, k);
            throw;
        }
        hand_out();
        auto const result = waiting_.wait(w, lock, {.stop = stop_.get_token()});
        report(k).waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (result != detail::wait_result::served) raise<cancelled_error>("xgrad: sync replicas: the wait for a token was cancelled");
        mean_.keep(k, options_.sort_and_sum);
    }
    void must_compute(int k) {
        std::lock_guard const lock(mutex_);
        protocol_->expect_computing(k);
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

        worker(sync_replicas& all, int index) : all_(all), index_(index) {}

    public:
        /// Computes gradients with the variables as they were when the last token was taken, gives them, and waits for a token: `worker(x = images)`. Returns
        /// the outputs, arrays as views that hold until the next call. Throws as a call of the trainer, and then nothing has been given; cancelled_error where another worker has failed or
        /// a stop was requested.
        template<class... B>
        auto operator()(B const&... bindings) {
            if (all_.stop_.stop_requested()) raise<cancelled_error>("xgrad: sync replicas: a stop was requested");
            all_.must_compute(index_);
            auto const at = static_cast<std::size_t>(index_);
            auto& model = *all_.models_[at];
            auto const outputs = model.compute_gradients(all_.draws_[at]++, index_, bindings...);
            all_.give_and_wait(index_);
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
        std::vector<bool> computed_;

    public:
        /// All workers begin to compute with the variables as they are.
        explicit replay(sync_replicas& all) : all_(all) {
            all.begin();
            computed_.assign(static_cast<std::size_t>(all.options_.workers), false);
        }
        replay(replay const&) = delete;
        ~replay() { all_.finish(); }
        /// Worker k computes gradients with the variables that it has. Throws as a call of the trainer, value_error where it waits for a token or has ended.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            all_.protocol_->expect_computing(k);
            auto const at = static_cast<std::size_t>(k);
            computed_[at] = false;
            auto const outputs = all_.models_[at]->compute_gradients(all_.draws_[at]++, k, bindings...);
            computed_[at] = true;
            return outputs;
        }
        /// Worker k gives what it has computed; whether it counts. Throws value_error where it has computed nothing since the last token.
        bool push(int k) {
            all_.protocol_->expect_computing(k);
            if (!computed_[static_cast<std::size_t>(k)])
                raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " has computed no gradient to push"});
            computed_[static_cast<std::size_t>(k)] = false;
            return all_.push(k);
        }
        /// Worker k takes a token and the variables as they are now; false where there is none. Throws value_error where it has not pushed.
        bool begin(int k) {
            if (!all_.protocol_->begin(k)) return false;
            all_.mean_.keep(k, all_.options_.sort_and_sum);
            all_.models_[static_cast<std::size_t>(k)]->pull(all_.train_.store());
            return true;
        }
        bool can_update() const { return all_.protocol_->can_update(); }
        /// Of all gradients that have come. Throws value_error where these are too few, and what a function among the hyper-parameters throws.
        void update() {
            all_.protocol_->expect_update();
            detail::trainer_access::begin(all_.train_);
            all_.update();
        }
        void end(int k) { all_.end(k); }
        /// Tokens, local steps, fresh gradients.
        sync_protocol const& state() const { return *all_.protocol_; }
    };

    /// Throws value_error where the first update could never be reached.
    explicit sync_replicas(trainer<P>& train, sync_options const& options = {})
        : train_(train), options_(options),
          mean_(detail::trainer_access::state(train).run, train.store(), parts::second(), P::plan.step_count) {
        [[maybe_unused]] constexpr bool fits = can_be_shared();
        sync_protocol const checked({options.workers, options.replicas_to_aggregate, options.initial_tokens});
    }
    sync_replicas(sync_replicas const&) = delete;

    /// Calls `work(worker)` in a thread for each worker, and returns when all have ended. A worker that ends leaves the rest to the others. What one of them
    /// throws ends all others at their next call or wait, and comes out as worker_error when they have. Throws std::system_error where a thread cannot be
    /// started.
    template<class Work>
    sync_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker, "xgrad: replicas.run(work): work is a function of a worker, [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            begin();
            std::stop_callback const asked(options_.stop, [this] { stop_.request_stop(); });
            {
                std::vector<std::jthread> threads;
                threads.reserve(static_cast<std::size_t>(options_.workers));
                try {
                    for (int k = 0; k < options_.workers; ++k) threads.emplace_back([this, k, &work] { run_worker(k, work); });
                } catch (...) {
                    stop_.request_stop();   // and those that have started are waited for
                    throw;
                }
            }
            finish();
            report_.left = protocol_->fresh();
            if (failed_ != nullptr) rethrow(failed_, failed_worker_);
        }
        return report_;
    }

private:
    template<class Work>
    void run_worker(int k, Work& work) {
        try {
            worker mine(*this, k);
            work(mine);
        } catch (...) {
            if (!is_of_the_stop()) {
                std::unique_lock lock(mutex_);
                fail(lock, k);
            }
        }
        end(k);
    }
    // Whether the present exception is what a stop makes of a wait.
    bool is_of_the_stop() const {
        try {
            throw;
        } catch (cancelled_error const&) { return stop_.stop_requested(); } catch (...) {
            return false;
        }
    }
    [[noreturn]] static void rethrow(std::exception_ptr const& what, int worker) {
        try {
            std::rethrow_exception(what);
        } catch (std::exception const& e) { throw worker_error(worker, what, e.what()); } catch (...) {
            throw worker_error(worker, what, "an exception of a type that xgrad does not know");
        }
    }
};
template<class P>
sync_replicas(trainer<P>&, sync_options const& = {}) -> sync_replicas<trainer<P>>;

/// Of what is no trainer, or is one that cannot be changed or does not live on.
template<class T>
class sync_replicas {
public:
    explicit sync_replicas(T const&, sync_options const& = {}) {
        static_assert(std::is_void_v<T>,
            "xgrad::sync_replicas(train, options): train is a trainer that lives as long as the replicas and may be changed: auto train = "
            "xgrad::minimize<xgrad::gating::graph>(loss, rule);");
    }
    template<class Work>
    sync_report run(Work&&) {
        return {};
    }
};
namespace detail {
template<class T>
struct no_trainer {
    no_trainer(T const&) {}
};
}   // namespace detail
template<class T>
sync_replicas(T const&, sync_options const& = {}) -> sync_replicas<detail::no_trainer<T>>;

XGRAD_NAMESPACE_END
