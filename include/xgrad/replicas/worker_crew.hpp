// SPDX-License-Identifier: MIT
// Threads that work together. If one throws, the others end; one that hangs is left behind.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/sync_options.hpp>
#include <xgrad/transport/waiting.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// A worker has thrown, or is lost: its number, and the cause.
struct worker_error : error {
    int worker;
    std::exception_ptr cause;
    worker_error(int number, std::exception_ptr what, std::string const& text)
        : error(message({"xgrad: worker ", number, ": ", text})), worker(number), cause(std::move(what)) {}
};

namespace detail {

/// The text of an exception.
inline std::string text_of(std::exception_ptr const& what) {
    try {
        std::rethrow_exception(what);
    } catch (std::exception const& e) { return e.what(); } catch (...) {
        return "an exception of a type that xgrad does not know";
    }
}

/// The message when the loss of a worker leaves too few others.
inline std::string text_of_loss(crew_options const& options, int left) {
    return message({"it has given no sign for ", milliseconds_of(options.deadline), " ms, and ", left, " of at least ", options.min_workers,
        " workers are left"});
}

#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic push
// false positive of g++ 12 about a constructor that passes *this to another one
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
XGRAD_NOINLINE inline std::stop_source new_stop_source() { return {}; }
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic pop
#endif

/// The workers of one run. Each thread keeps the shared state alive, a `Method` that holds the crew, because a thread that hangs cannot be
/// ended from outside. Such a thread is left behind, and notices it when it comes back.
///
/// A worker is *inside* while it uses objects that may be destroyed after the run, such as the trainer. A worker that is inside is never
/// left behind, and one that was left behind cannot get inside.
///
///     outside --enters--> inside --leaves--> outside
///     outside --deadline passes--> lost
///     outside --work ends--> ended
class worker_crew {
    using clock = std::chrono::steady_clock;

public:
    enum class place : std::int64_t { outside, inside, lost, ended };
    /// One worker of the crew.
    class member {
        friend worker_crew;
        std::thread thread_;
        std::atomic<std::int64_t> state_;   // its place, and the time when it came there
        int number_;
        bool joined_ = false;

        static std::int64_t state(place p) {
            auto const t = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch());
            return t.count() * 4 + static_cast<std::int64_t>(p);
        }
        static place at(std::int64_t state) { return static_cast<place>(state & 3); }
        bool leave_outside(place to) {
            std::int64_t now = state_;
            while (at(now) == place::outside)
                if (state_.compare_exchange_weak(now, state(to))) return true;
            return false;
        }

    public:
        explicit member(int number) : state_(state(place::outside)), number_(number) {}
        int number() const { return number_; }
        bool lost() const { return at(state_) == place::lost; }
    };

private:
    crew_options options_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<member> members_;   // a deque, so that members keep their addresses
    int running_ = 0;              // neither lost nor ended
    bool open_ = false;            // others may join
    std::vector<member*> done_;    // workers that have ended and whose threads can be joined
    std::function<void()> start_;
    std::stop_source stop_ = new_stop_source();
    std::exception_ptr failed_;   // what has ended the run, the first of several; and in which worker
    int failed_worker_ = -1;

    [[noreturn]] void raise_lost(int k) const {
        raise_parts<cancelled_error>(
            {"xgrad: worker ", k, " was left behind: it had given no sign for ", milliseconds_of(options_.deadline), " ms"});
    }

    // Returns a worker that was outside for too long. Otherwise null, and `next` is the time of the next check.
    member* overdue(clock::time_point& next) {
        auto const now = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch());
        std::chrono::nanoseconds wait = options_.deadline;   // a worker that is inside now cannot be overdue before now + deadline
        for (member& m : members_) {
            std::int64_t since = m.state_;
            if (member::at(since) != place::outside) continue;
            auto const left = std::chrono::nanoseconds(since / 4) - now + options_.deadline;
            if (left <= std::chrono::nanoseconds(0)) {
                if (m.state_.compare_exchange_strong(since, member::state(place::lost))) return &m;
            } else wait = std::min(wait, left);
        }
        next = clock::now() + wait;
        return nullptr;
    }
    template<class Method>
    void leave_behind(Method& method, member& m, std::unique_lock<std::mutex>& lock) {
        m.thread_.detach();
        m.joined_ = true;
        --running_;
        int left = 0;   // includes workers that have ended
        for (member const& other : members_) left += !other.lost();
        lock.unlock();
        try {
            if (left < options_.min_workers) raise<timeout_error>(text_of_loss(options_, left));
        } catch (...) { fail(m.number_); }   // before another worker can act on the loss
        try {
            method.lose(m.number_);
        } catch (...) { fail(m.number_); }
        lock.lock();
    }
    template<class Method, class Work>
    void work_on(Method& method, Work& work, member& m) {
        try {
            typename Method::worker mine(method, m);
            work(mine);
        } catch (...) {
            if (!is_of_the_stop(m)) fail(m.number_);
        }
        if (!m.leave_outside(place::ended)) return;   // it was left behind
        try {
            method.end(m.number_);
        } catch (...) { fail(m.number_); }
        std::lock_guard const lock(mutex_);
        done_.push_back(&m);
        --running_;
        changed_.notify_all();
    }
    // Joins threads that have ended, because an unjoined thread keeps its stack.
    void join_those_who_have_ended(std::unique_lock<std::mutex>& lock) {
        while (!done_.empty()) {
            member& m = *done_.back();
            done_.pop_back();
            lock.unlock();
            m.thread_.join();
            lock.lock();
            m.joined_ = true;
        }
    }
    // Whether the current exception is the effect of a stop on a wait, or was thrown by a worker that was left behind.
    bool is_of_the_stop(member const& m) const {
        if (m.lost()) return true;
        try {
            throw;
        } catch (cancelled_error const&) { return stopping(); } catch (...) {
            return false;
        }
    }

public:
    explicit worker_crew(crew_options const& options) : options_(options) {
        if (options.deadline <= std::chrono::nanoseconds(0))
            raise<value_error>("xgrad: replicas: the deadline is not positive; write a time above 0");
        if (options.min_workers < 1)
            raise_parts<value_error>({"xgrad: replicas: min_workers must be positive, but is ", options.min_workers});
    }
    worker_crew(worker_crew const&) = delete;
    /// Checks the options when replicas are made. Throws value_error if there are fewer workers than min_workers.
    static void check_least(int min_workers, int workers) {
        if (min_workers > workers)
            raise_parts<value_error>({"xgrad: replicas: min_workers, ", min_workers, ", is more than there are workers, ", workers});
    }

    bool has_deadline() const { return detail::has_deadline(options_.deadline); }
    /// The stop token that ends every wait.
    std::stop_token stop() const { return stop_.get_token(); }
    bool stopping() const { return stop_.stop_requested(); }
    /// The current exception ends the run; the first of several counts. Call it without holding any mutex that a wait needs.
    void fail(int k) {
        {
            std::lock_guard const lock(mutex_);
            if (failed_ == nullptr) {
                failed_ = std::current_exception();
                failed_worker_ = k;
            }
        }
        stop_.request_stop();
    }
    bool failed() const {
        std::lock_guard const lock(mutex_);
        return failed_ != nullptr;
    }
    /// Throws worker_error if something has failed.
    void rethrow_if_failed() const {
        std::unique_lock lock(mutex_);
        std::exception_ptr const what = failed_;
        lock.unlock();
        if (what != nullptr) throw worker_error(failed_worker_, what, text_of(what));
    }

    /// The worker is inside during the lifetime of this object. Throws cancelled_error if a stop was requested or the worker was left
    /// behind.
    class inside {
        member& m_;

    public:
        inside(worker_crew const& crew, member& m) : m_(m) {
            if (crew.stopping()) raise<cancelled_error>("xgrad: replicas: a stop was requested");
            if (m.leave_outside(place::inside)) return;
            if (!m.lost())
                raise_parts<value_error>(
                    {"xgrad: replicas: worker ", m.number_, " is called during one of its calls, by on_update or by another thread"});
            crew.raise_lost(m.number_);
        }
        inside(inside const&) = delete;
        ~inside() { m_.state_ = member::state(place::outside); }
    };

    /// Calls `work(worker)` in `count` threads, and returns when all have ended or are lost.
    ///
    /// - `Method` holds this crew. It has a class `worker`, constructed from the method and a member. The crew calls its functions end(k)
    ///   and lose(k).
    /// - If `work` is a temporary, it lives as long as the last thread.
    ///
    /// Throws worker_error, and std::system_error if a thread cannot be started.
    template<class Method, class Work>
    void run(std::shared_ptr<Method> const& method, Work&& work, int count) {
        std::stop_callback const asked(options_.stop, [this] { stop_.request_stop(); });
        using kept = std::conditional_t<std::is_lvalue_reference_v<Work>, std::reference_wrapper<std::remove_reference_t<Work>>,
            std::remove_cvref_t<Work>>;
        auto const shared = std::make_shared<kept>(std::forward<Work>(work));
        std::unique_lock lock(mutex_);
        start_ = [this, method = std::weak_ptr<Method>(method), shared] {
            done_.reserve(members_.size() + 1);
            member& m = members_.emplace_back(static_cast<int>(members_.size()));
            ++running_;
            try {
                m.thread_ = std::thread([this, method = method.lock(), shared, &m] {
                    if constexpr (std::is_lvalue_reference_v<Work>) work_on(*method, shared->get(), m);
                    else work_on(*method, *shared, m);
                });
            } catch (...) {   // its number is not reused
                --running_;
                m.state_ = member::state(place::ended);
                m.joined_ = true;
                throw;
            }
        };
        std::exception_ptr not_started;
        try {
            for (int k = 0; k < count; ++k) start_();
            open_ = true;
        } catch (...) {
            not_started = std::current_exception();
            lock.unlock();
            stop_.request_stop();   // threads that have started are waited for
            lock.lock();
        }
        while (running_ > 0) {
            join_those_who_have_ended(lock);
            if (running_ == 0) break;
            if (!has_deadline()) {
                changed_.wait(lock);
                continue;
            }
            clock::time_point next;
            if (member* const late = overdue(next)) leave_behind(*method, *late, lock);
            else changed_.wait_until(lock, next);
        }
        open_ = false;
        start_ = nullptr;
        lock.unlock();
        for (member& m : members_)
            if (!m.joined_) m.thread_.join();
        if (not_started != nullptr) std::rethrow_exception(not_started);
        rethrow_if_failed();
    }
    /// Adds a worker that does the same work, after method.join(). Throws value_error if nothing runs, and what join throws.
    template<class Method>
    int add(Method& method) {
        std::lock_guard const lock(mutex_);
        if (!open_ || stopping()) raise<value_error>("xgrad: replicas.add_worker(): a worker can join only while others work");
        int const k = static_cast<int>(members_.size());
        method.join();
        try {
            start_();
        } catch (...) {
            method.end(k);
            throw;
        }
        return k;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
