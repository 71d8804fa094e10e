// SPDX-License-Identifier: MIT
// Workers that wait for each other.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/transport/waiting.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What has become of a worker that has come: it waits, there has been a meeting with what it has brought, or that is too old for one.
enum class arrival { waits, met, late };

/// When enough workers have come, the last one does what is to be done together, `what(numbers)` of those who are there, and they go on. One that has
/// ended, or is lost, is not waited for. Meetings are counted: who brings something from before the last one that has begun is late, and does not count.
class meeting {
    enum class place : unsigned char { away, here, meeting, gone };
    struct waiter : waiting_list::waiter {
        std::int64_t turn = 0;
    };
    mutable std::mutex mutex_;
    waiting_list waiting_, late_;   // for a meeting; for the end of the one that goes on
    std::vector<place> workers_;
    std::vector<int> present_;   // at the meeting that goes on: where one of them ends meanwhile, what it has brought counts
    std::int64_t turn_;          // of those that arrive now
    std::size_t needed_;
    bool busy_ = false;   // what is to be done is being done, by whoever came last

    bool is_late(std::int64_t turn) const { return turn < turn_; }
    // As many as are needed, or all that are left.
    bool enough() const {
        std::size_t here = 0, left = 0;
        for (place p : workers_) {
            here += p == place::here;
            left += p != place::gone;
        }
        return here > 0 && here >= std::min(needed_, left);
    }
    /// Others may join meanwhile, and arrive: theirs is the next turn.
    template<class F>
    void hold(std::unique_lock<std::mutex>& lock, F const& what) {
        while (!busy_ && enough()) {
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
            while (late_.first() != nullptr) late_.serve_first();
        }
    }
    void wait(waiting_list& list, waiter& w, std::unique_lock<std::mutex>& lock, std::stop_token const& stop) {
        if (list.wait(w, lock, {.stop = stop}) != wait_result::served)
            raise<cancelled_error>("xgrad: replicas: the wait for the other workers was cancelled");
    }

public:
    /// What is brought from turn `turn` on is in time for the first meeting; as many workers as `needed` make one, or all that are left if these are fewer.
    meeting(std::int64_t turn, std::size_t needed) : turn_(turn), needed_(needed) {}
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
    /// Waits until enough are here and `what` has been done, with what this worker brings from turn `turn`; or, if it is late, until no meeting goes on.
    /// Throws what `what` throws, for the others goes on waiting; cancelled_error.
    template<class F>
    arrival arrive_and_wait(int k, std::int64_t turn, std::stop_token const& stop, F const& what) {
        std::unique_lock lock(mutex_);
        waiter w;
        if (is_late(turn)) {
            if (busy_) {
                late_.enter(w);
                wait(late_, w, lock, stop);
            }
            return arrival::late;
        }
        workers_[static_cast<std::size_t>(k)] = place::here;
        w.turn = turn_;
        waiting_.enter(w);
        try {
            if (!stop.stop_requested()) hold(lock, what);   // else it would be one without those who have left for the stop
        } catch (...) {
            if (!w.served()) waiting_.leave(w);
            throw;
        }
        wait(waiting_, w, lock, stop);
        return arrival::met;
    }
    /// In one thread: it has met if it was the last one.
    template<class F>
    arrival arrive(int k, std::int64_t turn, F const& what) {
        std::unique_lock lock(mutex_);
        if (is_late(turn)) return arrival::late;
        workers_[static_cast<std::size_t>(k)] = place::here;
        std::int64_t const before = turn_;
        hold(lock, what);
        return turn_ != before ? arrival::met : arrival::waits;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
