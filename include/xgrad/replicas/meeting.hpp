// SPDX-License-Identifier: MIT
// Workers that wait for each other.
#pragma once

#include <xgrad/transport/waiting.hpp>

#include <mutex>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// When all workers have come, the last one does what is to be done together, `what(numbers)` of those who are there, and all go on. One that has
/// ended, or is lost, is not waited for.
class meeting {
    enum class place : unsigned char { away, here, meeting, gone };
    struct waiter : waiting_list::waiter {
        std::int64_t turn = 0;
    };
    mutable std::mutex mutex_;
    waiting_list waiting_;
    std::vector<place> workers_;
    std::vector<int> present_;   // at the meeting that goes on: where one of them ends meanwhile, what it has brought counts
    std::int64_t turn_ = 0;      // of those that arrive now
    bool busy_ = false;          // what is to be done is being done, by whoever came last

    bool all_here() const {
        bool any = false;
        for (place p : workers_) {
            if (p == place::away) return false;
            any = any || p == place::here;
        }
        return any;
    }
    /// Others may join meanwhile, and arrive: theirs is the next turn.
    template<class F>
    void hold(std::unique_lock<std::mutex>& lock, F const& what) {
        while (!busy_ && all_here()) {
            present_.clear();
            for (std::size_t k = 0; k < workers_.size(); ++k) {
                if (workers_[k] != place::here) continue;
                workers_[k] = place::meeting;
                present_.push_back(static_cast<int>(k));
            }
            busy_ = true;
            std::int64_t const turn = turn_++;
            lock.unlock();
            try {
                what(present_);
            } catch (...) {
                lock.lock();
                busy_ = false;
                throw;
            }
            lock.lock();
            busy_ = false;
            for (place& p : workers_)
                if (p == place::meeting) p = place::away;
            while (waiting_.first() != nullptr && static_cast<waiter*>(waiting_.first())->turn <= turn) waiting_.serve_first();
        }
    }

public:
    void join() {
        std::lock_guard const lock(mutex_);
        workers_.push_back(place::away);
    }
    bool waits(int k) const {
        std::lock_guard const lock(mutex_);
        place const p = workers_[static_cast<std::size_t>(k)];
        return p == place::here || p == place::meeting;
    }
    bool has_ended(int k) const {
        std::lock_guard const lock(mutex_);
        return workers_[static_cast<std::size_t>(k)] == place::gone;
    }
    /// Worker k is not waited for any more.
    void leave(int k) {
        std::lock_guard const lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::gone;
    }
    /// The same, and if the others wait only for it, `what` is done.
    template<class F>
    void end(int k, F const& what) {
        std::unique_lock lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::gone;
        hold(lock, what);
    }
    /// Waits until all are here and `what` has been done. Throws what that throws, for the others goes on waiting; cancelled_error.
    template<class F>
    void arrive_and_wait(int k, std::stop_token const& stop, F const& what) {
        std::unique_lock lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::here;
        waiter w;
        w.turn = turn_;
        waiting_.enter(w);
        try {
            if (!stop.stop_requested()) hold(lock, what);   // else it would be one without those who have left for the stop
        } catch (...) {
            if (!w.served()) waiting_.leave(w);
            throw;
        }
        if (waiting_.wait(w, lock, {.stop = stop}) != wait_result::served)
            raise<cancelled_error>("xgrad: replicas: the wait for the other workers was cancelled");
    }
    /// In one thread: whether `what` has been done, because k was the last one.
    template<class F>
    bool arrive(int k, F const& what) {
        std::unique_lock lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::here;
        std::int64_t const before = turn_;
        hold(lock, what);
        return turn_ != before;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
