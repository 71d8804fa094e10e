// SPDX-License-Identifier: MIT
// Lets workers wait for each other.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/transport/waiting.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What happened to a worker that arrived: it waits, a meeting has used its contribution, or its contribution is too old.
enum class arrival { waits, met, late };

/// When enough workers have arrived, the last one calls `what(numbers)` for those present, and all continue. Workers that have ended or are
/// lost are not waited for.
///
/// Meetings are counted. A contribution that was begun before the last meeting began is late and does not count.
///
///     a worker:   away --arrives--> here --meeting begins--> meeting --meeting ends--> away
///                 any --ends or is lost--> gone
class meeting {
    enum class place : unsigned char { away, here, meeting, gone };
    struct waiter : waiting_list::waiter {
        std::int64_t turn = 0;
    };
    mutable std::mutex mutex_;
    waiting_list waiting_, late_;   // for a meeting; for the end of the current meeting
    std::vector<place> workers_;
    std::vector<int> present_;   // at the current meeting; the contribution of a worker that ends during it still counts
    std::int64_t turn_;          // of the workers that arrive now
    std::size_t needed_;
    bool busy_ = false;   // the last worker to arrive is in `what`

    bool is_late(std::int64_t turn) const { return turn < turn_; }
    // True if as many workers as needed have arrived, or all that are left.
    bool enough() const {
        std::size_t here = 0, left = 0;
        for (place p : workers_) {
            here += p == place::here;
            left += p != place::gone;
        }
        return here > 0 && here >= std::min(needed_, left);
    }
    /// Holds meetings while enough workers are here. During `what` others may join and arrive; they wait for the next meeting.
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
    /// Contributions from turn `turn` on are in time for the first meeting. A meeting needs `needed` workers, or all that are left if these
    /// are fewer.
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
    /// Worker k is no longer waited for.
    void leave(int k) {
        std::lock_guard const lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::gone;
    }
    /// The same. If the others were only waiting for worker k, the meeting is held.
    template<class F>
    void end(int k, F const& what) {
        std::unique_lock lock(mutex_);
        workers_[static_cast<std::size_t>(k)] = place::gone;
        hold(lock, what);
    }
    /// Waits until enough workers are here and `what` has run. The worker's contribution was begun at turn `turn`; if it is late, the call
    /// waits only for the end of the current meeting. Throws cancelled_error, and what `what` throws; then the other workers keep waiting.
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
            if (!stop.stop_requested()) hold(lock, what);   // after a stop, workers have left and the meeting would be incomplete
        } catch (...) {
            if (!w.served()) waiting_.leave(w);
            throw;
        }
        wait(waiting_, w, lock, stop);
        return arrival::met;
    }
    /// The same in one thread, without waiting: `met` if this worker was the last one.
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
