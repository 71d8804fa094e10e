// SPDX-License-Identifier: MIT
// The protocol shared by dense and sparse accumulators: which gradients are accepted, who may take a sum, and when.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/accumulators/partial_shape.hpp>
#include <xgrad/replicas/worker_number.hpp>
#include <xgrad/transport/waiting.hpp>

#include <memory>
#include <mutex>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// Sums gradients of several workers until a call takes the sum. `Sum` is the partial sum of one worker: default-constructible, with `void
/// clear() noexcept`.
///
/// A gradient passes three stages:
///
///     accept   under the mutex
///     add      under the mutex of its worker's sum only, so that several workers add at the same time
///     count    under the mutex
///
/// A take adds up the sums worker by worker, so its result does not depend on timing.
/// Once enough gradients for the first waiting take have been accepted, further ones wait until the take is served. They belong to the next
/// take.
template<class Sum>
class accumulator_protocol {
protected:
    /// Everything that one take receives.
    struct round {
        struct lane {
            std::mutex busy;
            std::int64_t count = 0;   // gradients in the sum
            Sum sum;
        };
        std::vector<std::unique_ptr<lane>>
            // By worker. An entry is created with the worker's first gradient, and is null after the worker has left.
            lanes;
        int rank = 0;   // of the gradients; set when the first one is accepted
        std::int64_t extents[max_rank]{};
        std::int64_t accepted = 0, added = 0;
        std::unique_ptr<round> next;   // links the list of spare rounds

        lane& lane_of(int worker) {
            auto const at = static_cast<std::size_t>(worker);
            if (lanes.size() <= at) lanes.resize(at + 1);
            if (lanes[at] == nullptr) lanes[at].reset(new lane);
            return *lanes[at];
        }
    };

private:
    struct take_attempt : waiting_list::waiter {
        std::int64_t required = 0;
        // Becomes the current round when this take is served. Then it holds what was taken.
        std::unique_ptr<round> mine;
    };

    std::string name_;
    std::vector<bool> workers_;   // whether worker k is still there
    mutable std::mutex mutex_;
    waiting_list takes_;
    std::condition_variable gate_;
    std::int64_t step_ = 0;
    std::unique_ptr<round> current_, spare_;

    void expect_worker(int k, std::string_view call) const {
        expect_worker_number(call, k, static_cast<std::int64_t>(workers_.size()), name_);
        if (!workers_[static_cast<std::size_t>(k)]) raise_parts<value_error>({"xgrad: ", name_, call, ": worker ", k, " has been removed"});
    }
    take_attempt* first() const { return static_cast<take_attempt*>(takes_.first()); }
    bool gate_is_shut() const { return first() != nullptr && current_->accepted >= first()->required; }
    // Serves at most one take: the next one would find a round without gradients.
    void serve() {
        take_attempt* const t = first();
        if (t == nullptr || current_->added != current_->accepted || current_->added < t->required) return;
        current_.swap(t->mine);
        ++step_;
        takes_.serve_first();
        gate_.notify_all();
    }
    std::unique_ptr<round> new_round() const {
        std::unique_ptr<round> r(new round);
        for (std::size_t k = 0; k < workers_.size(); ++k)
            if (workers_[k]) r->lane_of(static_cast<int>(k));
        return r;
    }
    void keep(std::unique_ptr<round> r) {
        for (std::size_t k = 0; k < r->lanes.size(); ++k) {
            auto& lane = r->lanes[k];
            if (!workers_[k]) lane = nullptr;
            if (lane == nullptr) continue;
            lane->count = 0;
            lane->sum.clear();
        }
        r->accepted = r->added = 0;
        r->next = std::move(spare_);
        spare_ = std::move(r);
    }
    [[noreturn]] void fail(wait_result why, std::int64_t required, std::int64_t there) const {
        std::string text = message({"xgrad: ", name_, ".take_grad(", required, ")"});
        if (why == wait_result::timed_out) {
            append(text, {": not enough gradients have come in time: ", there, " of ", required});
            raise<timeout_error>(text);
        }
        raise<cancelled_error>(
            text + (why == wait_result::stopped ? " was cancelled: a stop was requested" : " was cancelled: the accumulator is closed"));
    }

protected:
    accumulator_protocol(std::string_view name, int workers) : name_(message({"accumulator \"", name, "\""})) {
        if (workers < 1) raise_parts<value_error>({"xgrad: ", name_, ": the number of workers must be positive, but is ", workers});
        workers_.assign(static_cast<std::size_t>(workers), true);
        current_ = new_round();
    }
    accumulator_protocol(accumulator_protocol const&) = delete;
    accumulator_protocol& operator=(accumulator_protocol const&) = delete;

    /// Accepts a gradient of a worker if it is fresh, and returns whether it did. `check(round)` may throw; it sets rank and extents of a
    /// round without gradients. `add(sum, first)` adds the gradient, or overwrites the sum if `first`.
    template<class Check, class Add>
    bool apply(std::int64_t local_step, int worker, Check const& check, Add const& add) {
        std::unique_lock lock(mutex_);
        expect_worker(worker, ".apply_grad");
        // A take that has shut the gate is served once the workers that are adding now have finished.
        gate_.wait(lock, [&] { return takes_.closed() || local_step < step_ || !gate_is_shut(); });
        if (takes_.closed()) raise_parts<cancelled_error>({"xgrad: ", name_, ".apply_grad was cancelled: the accumulator is closed"});
        if (local_step < step_) return false;
        round& r = *current_;
        auto& lane = r.lane_of(worker);
        check(r);
        ++r.accepted;
        lock.unlock();
        struct uncounted {   // runs if check or add throws
            accumulator_protocol& all;
            round* r;
            std::unique_lock<std::mutex>& lock;
            ~uncounted() {
                if (r == nullptr) return;
                lock.lock();
                --r->accepted;
                all.gate_.notify_all();
                all.serve();
            }
        } undo{*this, &r, lock};
        {
            std::lock_guard const alone(lane.busy);
            add(lane.sum, lane.count == 0);
            ++lane.count;
        }
        undo.r = nullptr;
        lock.lock();
        ++r.added;
        serve();
        return true;
    }
    /// Calls f with the sums of the workers that have given a gradient, in the order of the workers.
    template<class F>
    void each_sum(round& r, F const& f) const {
        for (auto& lane : r.lanes)
            if (lane != nullptr && lane->count > 0) f(lane->sum);
    }
    /// Waits for gradients and returns the round. Return it with `give_back`.
    std::unique_ptr<round> take(std::int64_t required, wait_options const& options) {
        if (required <= 0)
            raise_parts<value_error>({"xgrad: ", name_, ".take_grad(", required, "): the number of gradients must be positive"});
        take_attempt t;
        t.required = required;
        std::unique_lock lock(mutex_);
        if (takes_.closed()) fail(wait_result::closed, required, 0);
        if (spare_ != nullptr) {
            t.mine = std::move(spare_);
            spare_ = std::move(t.mine->next);
        } else t.mine = new_round();
        takes_.enter(t);
        serve();
        wait_result const result = takes_.wait(t, lock, options);
        if (result == wait_result::served) return std::move(t.mine);
        std::int64_t const there = current_->added;
        keep(std::move(t.mine));
        serve();   // the next take in the queue may need fewer gradients
        gate_.notify_all();
        lock.unlock();
        fail(result, required, there);
    }
    void give_back(std::unique_ptr<round> r) {
        std::lock_guard const lock(mutex_);
        keep(std::move(r));
    }

public:
    /// The name in error messages.
    std::string const& name() const { return name_; }
    /// Number of gradients added since the last take.
    std::int64_t num_accumulated() const {
        std::lock_guard const lock(mutex_);
        return current_->added;
    }
    /// Number of takes that wait.
    int num_waiting() const {
        std::lock_guard const lock(mutex_);
        return takes_.count();
    }
    /// Gradients with a smaller local step are dropped. The global step begins with 0 and grows by 1 with each take.
    std::int64_t global_step() const {
        std::lock_guard const lock(mutex_);
        return step_;
    }
    /// Like TensorFlow's: the step may also go backwards, and gradients that have been added stay, however old they now are.
    void set_global_step(std::int64_t step) {
        std::lock_guard const lock(mutex_);
        step_ = step;
        gate_.notify_all();
    }
    /// Adds a worker and returns its number. Its sum comes after those of the others.
    int add_worker() {
        std::lock_guard const lock(mutex_);
        workers_.push_back(true);
        return static_cast<int>(workers_.size()) - 1;
    }
    /// Worker k gives no more gradients. Its earlier gradients count; its memory is released. Throws value_error if there is no such
    /// worker.
    void remove_worker(int k) {
        std::lock_guard const lock(mutex_);
        expect_worker(k, ".remove_worker");
        workers_[static_cast<std::size_t>(k)] = false;
        auto const drop = [k](round& r) {
            if (auto const at = static_cast<std::size_t>(k); at < r.lanes.size() && r.lanes[at] != nullptr && r.lanes[at]->count == 0)
                r.lanes[at] = nullptr;
        };
        drop(*current_);
        for (round* r = spare_.get(); r != nullptr; r = r->next.get()) drop(*r);
    }
    /// All takes, waiting and later ones, throw cancelled_error, and so do later gradients. Those that are being added are added first.
    void close() {
        std::lock_guard const lock(mutex_);
        takes_.close();
        gate_.notify_all();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
