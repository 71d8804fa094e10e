// SPDX-License-Identifier: MIT
// One run of fused synchronous replicas: the state shared by its workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/fair_shared_mutex.hpp>
#include <xgrad/replicas/sync/mean_update.hpp>
#include <xgrad/replicas/replica_model.hpp>
#include <xgrad/replicas/reports/run_clock.hpp>
#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/replicas/sync/sync_protocol.hpp>
#include <xgrad/replicas/sync/sync_worker.hpp>
#include <xgrad/replicas/update_call.hpp>
#include <xgrad/train/step_driver.hpp>

#include <algorithm>
#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Each worker computes gradients, gives them, and waits for a token. The worker that gives the last gradient needed makes the update. It
/// sums the gradients in the order of the workers, and updates the trainer's variables with the mean. It does both block by block, while a
/// block is in the first-level cache.
template<class P>
class sync_session {
public:
    using model = replica_model<P>;
    using worker = sync_worker<sync_session>;
    static constexpr char const* driver = "sync_replicas";
    static constexpr bool by_variable = false;
    using settings = sync_settings<fused>;
    using report_type = sync_report;

private:
    struct waiter : waiting_list::waiter {
        int worker = 0;
        bool entered = false;
    };
    using clock = std::chrono::steady_clock;

    trainer<P>& train_;
    sync_options options_;
    mean_update mean_;
    fair_shared_mutex& variables_;   // of the trainer: workers read them, an update writes them
    mutable std::mutex mutex_;       // guards everything below
    waiting_list waiting_;
    sync_protocol protocol_;
    bool sharing_ = false;                         // workers read the variables of the trainer
    std::vector<std::shared_ptr<model>> models_;   // null if the worker has ended
    std::vector<int> ended_;                       // whose memory must still be released
    std::int64_t first_draw_, drawn_;
    float loss_scale_;
    sync_report report_;
    bool updating_ = false;   // from the functions among the hyper-parameters until on_update returns
    bool applying_ = false;   // the gradients are taken, the variables have not all moved: no tokens are given out
    bool moving_ = false;     // the update holds the variables, and waiting workers may help
    int helpers_ = 0;

    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }
    bool flushes() { return step_driver::state(train_).run.flush; }

    void resize(std::size_t workers) {
        while (models_.size() > workers) models_.pop_back();
        while (models_.size() < workers) {
            int const k = static_cast<int>(models_.size());
            models_.push_back(sharing_ ? std::make_shared<model>(static_cast<variable_owner&>(train_), flushes(), k, first_draw_)
                                       : std::make_shared<model>(train_.store(), flushes(), k, first_draw_));
            models_.back()->gradients.scale_loss(loss_scale_);
        }
        report_.workers.resize(workers);
        mean_.resize(workers);
    }
    void pull(model& m) {
        if (sharing_) return;
        std::shared_lock const reading(variables_);
        m.gradients.pull(train_.store());
    }
    // Releases the memory of ended workers that no update needs any more. A thread that was left behind keeps its model alive.
    void forget_ended() {
        std::erase_if(ended_, [this](int k) {
            if (applying_ || mean_.has_given(k)) return false;
            mean_.leave(k);
            models_[static_cast<std::size_t>(k)] = nullptr;
            return true;
        });
    }
    // Gives tokens to waiting workers, in order of arrival.
    void hand_out() {
        while (!applying_ && waiting_.first() != nullptr && protocol_.begin(static_cast<waiter*>(waiting_.first())->worker))
            waiting_.serve_first();
    }
    void enter(waiter& w) {
        if (w.entered) return;
        waiting_.enter(w);
        w.entered = true;
    }
    // User functions are called without the mutex, because they may do anything, such as request a stop.
    void update_while_possible(waiter& w, std::unique_lock<std::mutex>& lock) {
        while (protocol_.can_update() && !updating_) {
            auto const start = clock::now();
            updating_ = true;
            lock.unlock();
            step_driver::begin(train_, loss_scale_);
            lock.lock();
            // Enters before the update, so that each worker that waits when an update comes gets one of its tokens, and none gets two.
            enter(w);
            gather();
            lock.unlock();
            apply();
            lock.lock();
            while (helpers_ > 0) {
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
            }
            finish_update();
            report(w.worker).updated += times.record(w.worker, span_kind::update, start);
            if (options_.on_update) {
                std::int64_t const step = protocol_.global_step();
                lock.unlock();
                call_on_update(options_.on_update, train_, step);
                lock.lock();
            }
            updating_ = false;
        }
        enter(w);
    }
    void help(int k, std::unique_lock<std::mutex>& lock) {
        ++helpers_;
        update_room const& room = mean_.room_of(k);
        lock.unlock();
        {
            xgrad::flush_denormals const guard(flushes());
            mean_.help(room);
        }
        lock.lock();
        --helpers_;
    }
    void wait_for_token(waiter& w, std::unique_lock<std::mutex>& lock) {
        auto const start = clock::now();
        hand_out();
        auto result = wait_result::called;
        while (result == wait_result::called) {
            if (moving_ && mean_.can_help(w.worker)) help(w.worker, lock);
            result = waiting_.wait(w, lock, {.stop = crew.stop()});
        }
        report(w.worker).waited += times.record(w.worker, span_kind::wait, start);
        if (result != wait_result::served) raise<cancelled_error>("xgrad: sync replicas: the wait for a token was cancelled");
        // This worker may have got its token before the current update began. That update still reads its gradient.
        while (applying_) {
            if (moving_ && mean_.can_help(w.worker)) help(w.worker, lock);
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
        keep(w.worker);
    }
    void keep(int k) {
        xgrad::flush_denormals const guard(flushes());
        mean_.keep(k, options_.sort_and_sum);
    }

public:
    worker_crew crew;
    run_clock times;

    /// Workers begin with the current variables. Other threads that read or write the trainer must lock `variables`.
    sync_session(trainer<P>& train, settings const& options, fair_shared_mutex& variables, sync_session const*)
        : train_(train), options_(options),
          mean_(step_driver::state(train).run, train.store(), step_parts<P>::second(), P::plan.step_count), variables_(variables),
          protocol_({options.workers, options.replicas_to_aggregate, options.initial_tokens}, train.global_step()),
          first_draw_(train.store().steps), drawn_(first_draw_), loss_scale_(step_driver::loss_scale(train)),
          crew({options.deadline, options.min_workers, options.stop}), times(options.workers, options.timeline_steps) {
        {
            std::unique_lock const alone(variables_);
            step_driver::follow(train_);   // current addresses
        }
        sharing_ = options.share_variables && !crew.has_deadline() && protocol_.is_exact();
        mean_.begin(step_driver::by_rule(train_));
        resize(static_cast<std::size_t>(options.workers));
        for (auto const& m : models_) pull(*m);
    }
    sync_session(sync_session const&) = delete;

    std::shared_ptr<model> model_of(int k) const {
        std::lock_guard const lock(mutex_);
        return models_[static_cast<std::size_t>(k)];
    }
    int worker_count() const {
        std::lock_guard const lock(mutex_);
        return protocol_.worker_count();
    }
    sync_report snapshot() const {
        std::lock_guard const lock(mutex_);
        sync_report r = report_;
        r.left = protocol_.fresh();
        r.seconds = times.seconds();
        return r;
    }
    sync_protocol const& protocol() const { return protocol_; }
    float loss_scale() const { return loss_scale_; }

    // Called by worker threads.
    template<class Work>
    static void run(std::shared_ptr<sync_session> const& all, Work&& work, int workers) {
        all->crew.run(all, std::forward<Work>(work), workers);
    }
    /// Throws value_error if worker k waits for a token or has ended.
    void must_compute(int k) const {
        std::lock_guard const lock(mutex_);
        protocol_.expect_computing(k);
    }
    /// A worker that has joined waits for its first token.
    void begin_in_thread(model& m) {
        std::unique_lock lock(mutex_);
        if (protocol_.phase_of(m.number) != sync_protocol::phase::waiting) return;
        waiter w;
        w.worker = m.number;
        enter(w);
        wait_for_token(w, lock);
        lock.unlock();
        pull(m);
    }
    /// Gives the gradient of a worker, then waits for a token.
    void give_and_wait(model& m) {
        std::unique_lock lock(mutex_);
        push(m);
        waiter w;
        w.worker = m.number;
        try {
            update_while_possible(w, lock);
        } catch (...) {   // the update failed, not this worker's work; the run ends, and the number says in which thread it was thrown
            if (!lock.owns_lock()) lock.lock();
            if (w.entered && !w.served()) waiting_.leave(w);
            lock.unlock();
            crew.fail(m.number);
            throw;
        }
        wait_for_token(w, lock);
        lock.unlock();
        pull(m);
    }
    void end(int k) {
        std::lock_guard const lock(mutex_);
        ended_.reserve(ended_.size() + 1);
        protocol_.end(k);
        hand_out();
        ended_.push_back(k);
        forget_ended();
    }
    /// Worker k is lost. What it has given counts; what it computes does not.
    void lose(int k) {
        {
            std::lock_guard const lock(mutex_);
            report(k).lost = true;
        }
        end(k);
    }
    /// Adds a worker. Throws value_error if it would need its own variables, std::bad_alloc; then nothing has changed.
    void join() {
        std::lock_guard const lock(mutex_);
        if (sharing_) expect_room_to_join(protocol_.active(), protocol_.needed());
        std::size_t const before = models_.size();
        try {
            resize(before + 1);
            protocol_.join();
        } catch (...) {
            resize(before);
            throw;
        }
    }
    /// Called when all workers have ended. Advances the random numbers, so that later steps draw others than this run.
    void finish() {
        times.end();
        std::unique_lock const alone(variables_);
        train_.store().steps = std::max(train_.store().steps, drawn_);
    }

    // Call these in a replay, or with the mutex held.
    bool push(model& m) {
        int const k = m.number;
        bool const fresh = protocol_.push(k);
        drawn_ = std::max(drawn_, m.draw);
        ++report(k).steps;
        ++(fresh ? report(k).accepted : report(k).dropped);
        if (fresh) mean_.give(k, [&](int update) { return m.gradients.gradient(update); });
        return fresh;
    }
    /// Prepares an update with the gradients given so far; call it after the functions among the hyper-parameters. Gradients that come
    /// while variables move are stale. Sums of rows and allocations come first, because they may throw.
    void gather() {
        protocol_.expect_update();
        xgrad::flush_denormals const guard(flushes());
        protocol_.make_room();
        mean_.gather(options_.sort_and_sum, options_.reduction, protocol_.fresh());
        protocol_.update();
        applying_ = true;
    }
    /// Moves the variables. Called without the mutex.
    void apply() {
        xgrad::flush_denormals const guard(flushes());
        variables_.lock();
        {
            std::lock_guard const lock(mutex_);
            moving_ = true;
            if (mean_.wants_help()) waiting_.call_all();
        }
        mean_.apply();
    }
    /// Ends the update. Called when no helper is left.
    void finish_update() {
        step_driver::state(train_).count_step(train_.store(), true);
        variables_.unlock();
        mean_.finish();
        applying_ = moving_ = false;
        forget_ended();
        ++report_.updates;
        hand_out();
    }
    void update() {
        gather();
        apply();
        finish_update();
        call_on_update(options_.on_update, train_, protocol_.global_step());
    }
    bool begin(int k) {
        if (!protocol_.begin(k)) return false;
        keep(k);
        pull(*models_[static_cast<std::size_t>(k)]);
        return true;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
