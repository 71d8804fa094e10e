// SPDX-License-Identifier: MIT
// One run of synchronous replicas built like TensorFlow's: an accumulator for each variable, a queue of tokens and a chief.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/fair_shared_mutex.hpp>
#include <xgrad/replicas/replica_model.hpp>
#include <xgrad/replicas/reports/run_clock.hpp>
#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/replicas/sync/sync_protocol.hpp>
#include <xgrad/replicas/sync/sync_worker.hpp>
#include <xgrad/replicas/sync/token_queue.hpp>
#include <xgrad/replicas/update_call.hpp>
#include <xgrad/train/step_driver.hpp>
#include <xgrad/replicas/accumulators/update_accumulator.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A worker gives the gradient of each variable to an accumulator, then waits for a token. The chief repeats three steps:
/// 1. It takes the means of all variables, in sequence.
/// 2. It updates all variables.
/// 3. It makes tokens.
template<class P>
class faithful_session {
public:
    using phase = sync_protocol::phase;
    using worker = sync_worker<faithful_session>;
    static constexpr char const* driver = "sync_replicas";
    static constexpr bool by_variable = true;   // a worker may omit some
    using settings = sync_settings<faithful>;
    using report_type = sync_report;
    // Of a worker, also of one that has ended.
    struct place {
        std::int64_t local_step;
        phase now;
    };
    struct model : replica_model<P> {
        place& at;
        std::vector<char> pushed, left_out;   // by update: pushed or skipped by this worker; omitted by its present call
        bool counts = false;                  // whether what has been pushed counts for at least one update
        bool queue_closed = false;            // the queue was closed when the worker asked for a token

        template<class From>
        model(From& from, bool flush, int k, std::int64_t first_draw, place& p, std::size_t updates)
            : replica_model<P>(from, flush, k, first_draw), at(p), pushed(updates), left_out(updates) {}
    };

private:
    using clock = std::chrono::steady_clock;

    trainer<P>& train_;
    settings options_;
    update_steps updates_;
    std::deque<update_accumulator> sums_;
    token_queue tokens_;
    fair_shared_mutex& variables_;                 // of the trainer: workers read them, an update writes them
    mutable std::mutex mutex_;                     // guards everything below
    std::deque<place> places_;                     // a deque, so that places keep their addresses
    std::vector<std::shared_ptr<model>> models_;   // null if the worker has ended
    std::int64_t global_step_;
    std::int64_t first_draw_, drawn_;
    float loss_scale_;
    int needed_ = 0, active_ = 0;
    std::int64_t unused_tokens_ = 0;              // in the queue, or taken by a worker that has not begun with it
    bool in_threads_ = false, sharing_ = false;   // sharing: workers read the variables of the trainer
    sync_report report_;
    // Only the chief uses these: which means it has taken, and whether it has updated the variables but not made the tokens yet.
    std::vector<char> taken_;
    update_room room_;
    bool updated_ = false;

    bool flushes() { return step_driver::state(train_).run.flush; }
    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }

    void add(phase p, std::int64_t local_step) {
        int const k = static_cast<int>(models_.size());
        report_.workers.reserve(models_.size() + 1);
        models_.reserve(models_.size() + 1);
        place& at = places_.emplace_back(place{local_step, p});
        try {
            models_.push_back(
                sharing_ ? std::make_shared<model>(static_cast<variable_owner&>(train_), flushes(), k, first_draw_, at, sums_.size())
                         : std::make_shared<model>(train_.store(), flushes(), k, first_draw_, at, sums_.size()));
        } catch (...) {
            places_.pop_back();
            throw;
        }
        models_.back()->gradients.scale_loss(loss_scale_);
        report_.workers.emplace_back();
        ++active_;
    }
    void expect_worker(int k) const { expect_worker_number("sync replicas", k, static_cast<std::int64_t>(models_.size())); }
    void pull(model& m) {
        if (sharing_) return;
        std::shared_lock const reading(variables_);
        m.gradients.pull(train_.store());
    }
    void begin_with(model& m, std::int64_t token) {
        {
            std::lock_guard const lock(mutex_);
            m.at = {token, phase::computing};
            --unused_tokens_;
        }
        std::fill(m.pushed.begin(), m.pushed.end(), false);
        m.counts = false;
        pull(m);
    }
    void make_tokens(std::int64_t count) {   // of the present step
        tokens_.enqueue(global_step_, count);
        unused_tokens_ += count;
    }
    // Throws value_error where all workers wait for tokens of an update that cannot come, because they have omitted a variable.
    void expect_progress(std::lock_guard<std::mutex> const&) const {
        if (!in_threads_ || active_ == 0 || unused_tokens_ > 0 || updated_ || tokens_.closed()) return;
        for (place const& p : places_)
            if (p.now == phase::computing) return;
        for (int u = 0; u < updates_.count(); ++u) {
            update_accumulator const& s = sums_[static_cast<std::size_t>(u)];
            std::int64_t const there = s.num_accumulated();   // first: when it has been taken, the step has moved
            if (there < needed_ && s.global_step() == global_step_)
                raise_parts<value_error>({"xgrad: sync replicas: all workers wait, and no update can come: of \"",
                    step_driver::state(train_).run.plan().variables[updates_.step(u).variable].name, "\" there are ", there, " of ",
                    needed_, " gradients; worker.without(v) has omitted the others"});
        }
    }
    void wait_for_token(model& m) {
        expect_progress(std::lock_guard(mutex_));
        auto const start = clock::now();
        struct count_time {
            faithful_session& all;
            int k;
            clock::time_point start;
            ~count_time() {
                double const seconds = all.times.record(k, span_kind::wait, start);
                std::lock_guard const lock(all.mutex_);
                all.report(k).waited += seconds;
            }
        };
        std::int64_t token;
        try {
            count_time const timed{*this, m.number, start};
            token = tokens_.dequeue({.stop = crew.stop()});
        } catch (cancelled_error const&) {
            m.queue_closed = tokens_.closed();
            throw;
        }
        begin_with(m, token);
    }
    // Ends a worker silently when the queue is closed. In TensorFlow the exception would leave the worker's session.
    template<class Work>
    struct until_closed {
        faithful_session& all;
        Work work;
        void operator()(worker& w) {
            try {
                work(w);
            } catch (cancelled_error const&) {
                if (!w.model_->queue_closed) throw;
            }
        }
    };
    // Ends the push of a worker if it has given or skipped every gradient.
    void pushed_all(model& m) {
        if (std::find(m.pushed.begin(), m.pushed.end(), false) != m.pushed.end()) return;
        std::lock_guard const lock(mutex_);
        m.at.now = phase::waiting;
        drawn_ = std::max(drawn_, m.draw);
        ++report(m.number).steps;
        ++(m.counts ? report(m.number).accepted : report(m.number).dropped);
    }
    bool take_all(std::stop_token const& ended) {
        try {
            for (int u = 0; u < update_count(); ++u) take(u, {.stop = ended});
        } catch (cancelled_error const&) {
            if (!ended.stop_requested()) throw;
            return false;
        }
        return true;
    }
    void work_as_chief(std::stop_token const& ended) {
        try {
            for (;;) {
                if (!take_all(ended)) return;
                auto const start = clock::now();
                apply();
                enqueue_tokens();
                {
                    std::lock_guard const lock(mutex_);
                    report(0).updated += std::chrono::duration<double>(clock::now() - start).count();
                }
                after_update();
            }
        } catch (...) { crew.fail(0); }
    }

public:
    worker_crew crew;
    run_clock times;   // without the updates, which the chief makes and no worker

    /// Workers begin with the current variables. Other threads that read or write the trainer must lock `variables`.
    faithful_session(trainer<P>& train, settings const& options, fair_shared_mutex& variables, faithful_session const*)
        : train_(train), options_(options),
          updates_(step_driver::state(train).run, train.store(), step_parts<P>::second(), P::plan.step_count), variables_(variables),
          global_step_(train.global_step()), first_draw_(train.store().steps), drawn_(first_draw_),
          loss_scale_(step_driver::loss_scale(train)), crew({options.deadline, options.min_workers, options.stop}),
          times(options.workers, options.timeline_steps) {
        {
            std::unique_lock const alone(variables_);
            step_driver::follow(train_);   // addresses as they are now
        }
        updates_.follow();
        sequence<bool> const by_rule = step_driver::by_rule(train);
        runtime_plan const& plan = step_driver::state(train).run.plan();
        for (int u = 0; u < updates_.count(); ++u)
            sums_.emplace_back(updates_, u, message({plan.variables[updates_.step(u).variable].name, "/grad_accum"}), options,
                by_rule.at[u], global_step_);
        taken_.resize(sums_.size());
        sync_protocol const first({options.workers, options.replicas_to_aggregate, options.initial_tokens}, global_step_);
        needed_ = first.needed();
        make_tokens(first.tokens().count);
        sharing_ = options.share_variables && !crew.has_deadline() && first.is_exact();
        for (int k = 0; k < options.workers; ++k) {
            add(phase::computing, global_step_);
            pull(*models_.back());
        }
    }
    faithful_session(faithful_session const&) = delete;

    /// Null if worker k has ended.
    std::shared_ptr<model> model_of(int k) const {
        std::lock_guard const lock(mutex_);
        return models_[static_cast<std::size_t>(k)];
    }
    int worker_count() const {
        std::lock_guard const lock(mutex_);
        return static_cast<int>(models_.size());
    }
    sync_report snapshot() const {
        std::lock_guard const lock(mutex_);
        sync_report r = report_;
        r.left = sums_.back().num_accumulated();   // every worker gives this one last, and the chief takes it last
        r.seconds = times.seconds();
        return r;
    }

    // Called by worker threads.
    /// The chief runs in its own thread until all workers have ended and nothing is left to update.
    template<class Work>
    static void run(std::shared_ptr<faithful_session> const& all, Work&& work, int workers) {
        {
            all->in_threads_ = true;   // before there are any
            std::jthread const chief([&session = *all](std::stop_token ended) { session.work_as_chief(ended); });
            all->crew.run(all, until_closed<Work>{*all, std::forward<Work>(work)}, workers);
        }
        all->crew.rethrow_if_failed();   // what the chief has thrown after the last worker ended
    }
    /// Throws value_error if worker k waits for a token or has ended.
    void must_compute(int k) const {
        std::lock_guard const lock(mutex_);
        expect_worker(k);
        model const* const m = models_[static_cast<std::size_t>(k)].get();
        if (m != nullptr && m->queue_closed) raise<cancelled_error>("xgrad: sync replicas: the queue of tokens is closed");
        if (m == nullptr || m->at.now != phase::computing)
            raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " cannot compute or push a gradient now"});
    }
    /// A worker that has joined waits for its first token.
    void begin_in_thread(model& m) {
        if (phase_of(m.number) != phase::waiting) return;
        try {
            wait_for_token(m);
        } catch (cancelled_error const&) {
            if (!m.queue_closed) throw;   // else the worker's first call throws it
        }
    }
    /// Gives the gradients of a worker, then waits for a token.
    void give_and_wait(model& m) {
        for (int u = 0; u < update_count(); ++u) m.left_out[static_cast<std::size_t>(u)] ? skip(m, u) : void(push(m, u));
        wait_for_token(m);
    }
    /// Ends worker k. If its token is of the current step and unused, it goes back to the end of the queue. No token in the queue is newer,
    /// so the queue stays ordered.
    void end(int k) {
        std::lock_guard const lock(mutex_);
        expect_worker(k);
        if (models_[static_cast<std::size_t>(k)] == nullptr)
            raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " cannot end now"});
        place& at = places_[static_cast<std::size_t>(k)];
        if (at.now == phase::computing && at.local_step >= global_step_ && !tokens_.closed()) make_tokens(1);
        at.now = phase::gone;
        --active_;
        models_[static_cast<std::size_t>(k)] = nullptr;   // the accumulators have copied its gradients
        for (update_accumulator& s : sums_) s.remove_worker(k);
        if (options_.how.close_at_end && k == 0) tokens_.close();
        expect_progress(lock);
    }
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
        if (sharing_) expect_room_to_join(active_, needed_);
        add(phase::waiting, tokens_.first_or(global_step_));   // not newer than the tokens that it may get
        for (update_accumulator& s : sums_) s.add_worker();
    }
    /// Called when all workers have ended. Advances the random numbers, so that later steps draw others than this run.
    void finish() {
        times.end();
        std::unique_lock const alone(variables_);
        train_.store().steps = std::max(train_.store().steps, drawn_);
    }

    // The single events. Those of a worker run in its thread, those of the chief in the chief's thread.
    int update_count() const { return updates_.count(); }
    place place_of(int k) const {
        std::lock_guard const lock(mutex_);
        expect_worker(k);
        return places_[static_cast<std::size_t>(k)];
    }
    phase phase_of(int k) const { return place_of(k).now; }
    std::int64_t local_step(int k) const { return place_of(k).local_step; }
    int needed() const { return needed_; }
    std::int64_t global_step() const { return global_step_; }
    int active() const { return active_; }
    token_queue& tokens() { return tokens_; }
    update_accumulator& sums(int u) { return sums_[static_cast<std::size_t>(u)]; }
    bool taken(int u) const { return taken_[static_cast<std::size_t>(u)]; }
    bool has_updated() const { return updated_; }
    bool can_update() const {
        for (int u = 0; u < update_count(); ++u)
            if (!taken(u) && sums_[static_cast<std::size_t>(u)].num_accumulated() < needed_) return false;
        return !updated_;
    }
    /// Worker m gives the gradient of one variable; returns whether it counts. After the last one the worker waits for a token.
    bool push(model& m, int u) {
        xgrad::flush_denormals const guard(flushes());
        bool const counts = sums(u).apply(m.gradients.gradient(u), m.at.local_step, m.number);
        m.pushed[static_cast<std::size_t>(u)] = true;
        m.counts |= counts;
        pushed_all(m);
        return counts;
    }
    /// Worker m has no gradient for this variable, like None in TensorFlow. After the last one the worker waits for a token.
    void skip(model& m, int u) {
        m.pushed[static_cast<std::size_t>(u)] = true;
        pushed_all(m);
    }
    /// Gives worker k the next token; false if the queue is empty.
    bool begin(int k) {
        if (tokens_.size() == 0) return false;
        begin_with(*model_of(k), tokens_.dequeue());
        return true;
    }
    /// The chief takes the mean of one variable.
    void take(int u, wait_options const& options) {
        xgrad::flush_denormals const guard(flushes());
        sums(u).take(needed_, options);
        taken_[static_cast<std::size_t>(u)] = true;
    }
    /// Updates all variables by the means that were taken, then optimizer scalars and global step. Functions among the
    /// hyper-parameters and allocations come first, because they may throw.
    void apply() {
        step_driver::begin(train_, loss_scale_);
        xgrad::flush_denormals const guard(flushes());
        for (update_accumulator& s : sums_) s.make_room(room_);
        {
            std::unique_lock const alone(variables_);
            for (update_accumulator& s : sums_) s.move(room_);
            step_driver::state(train_).count_step(train_.store(), true);
        }
        std::fill(taken_.begin(), taken_.end(), false);
        std::lock_guard const lock(mutex_);
        updated_ = true;
        ++global_step_;
        ++report_.updates;
    }
    /// Called after the tokens of an update have been made.
    void after_update() { call_on_update(options_.on_update, train_, global_step_); }
    /// Makes tokens of the new global step: one for each worker, or as many as an update takes if that is more.
    void enqueue_tokens() {
        std::lock_guard const lock(mutex_);
        updated_ = false;
        if (!tokens_.closed()) make_tokens(std::max(active_, needed_));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
