// SPDX-License-Identifier: MIT
// Waiting that ends: served in order of arrival, after a time-out, by a stop token, or because the place is closed. Nothing is allocated.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

XGRAD_NAMESPACE_BEGIN

/// What was waited for has not come in time. Nothing has been changed.
struct timeout_error : error {
    using error::error;
};
/// A stop was requested, or what was waited for has been closed. Nothing has been changed.
struct cancelled_error : error {
    using error::error;
};

/// How long a call may block: `{.timeout = 2s, .stop = token}`. Without it a call waits until it is served or what it waits for is closed.
struct wait_options {
    std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max();   // 0: only what is there already
    std::stop_token stop{};
};

namespace detail {

inline constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();
inline std::chrono::steady_clock::time_point deadline_of(std::chrono::nanoseconds timeout) {
    auto const now = std::chrono::steady_clock::now();
    return timeout >= no_deadline - now ? no_deadline : now + timeout;
}
/// What is left of a wait that consists of several: the same stop, and the time until the deadline of all of them.
class time_limit {
    std::chrono::steady_clock::time_point deadline_;
    std::stop_token stop_;

public:
    explicit time_limit(wait_options const& options) : deadline_(deadline_of(options.timeout)), stop_(options.stop) {}
    wait_options left() const {
        if (deadline_ == no_deadline) return {.stop = stop_};
        auto const now = std::chrono::steady_clock::now();
        return {.timeout = deadline_ > now ? deadline_ - now : std::chrono::nanoseconds{0}, .stop = stop_};
    }
};

/// Says to the processor that it turns in a loop until another one writes.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

enum class wait_result { served, called, timed_out, stopped, closed };

/// Whoever waits, first come first. All is called with the mutex of the place held, except that `wait` gives it up while it waits.
class waiting_list {
public:
    /// On the stack of whoever waits.
    class waiter {
        friend waiting_list;
        waiter* next_ = nullptr;
        std::atomic<bool> served_{false}, called_{false};
        bool listed_ = false;
        std::condition_variable wake_;

    public:
        bool served() const { return served_; }
    };

private:
    waiter* first_ = nullptr;
    waiter** end_ = &first_;
    bool closed_ = false;

    // Who is served soon need not sleep: to be woken takes as long as this at most does, and much longer where the processor sleeps too.
    static void spin(waiter const& w) {
        static bool const alone = std::thread::hardware_concurrency() == 1;
        auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(alone ? 0 : 20);
        do {
            for (int k = 0; k < 20; ++k) {
                if (w.served_.load(std::memory_order_relaxed) || w.called_.load(std::memory_order_relaxed)) return;
                relax();
            }
            std::this_thread::yield();   // whoever is to serve may be waiting for this core
        } while (std::chrono::steady_clock::now() < end);
    }

public:
    waiting_list() = default;
    waiting_list(waiting_list const&) = delete;
    waiting_list& operator=(waiting_list const&) = delete;

    bool closed() const { return closed_; }
    int count() const {
        int n = 0;
        for (waiter const* w = first_; w != nullptr; w = w->next_) ++n;
        return n;
    }
    /// Null where nobody waits.
    waiter* first() const { return first_; }
    /// In a place that is closed nobody enters: the wait says so.
    void enter(waiter& w) {
        if (closed_) return;
        w.listed_ = true;
        w.next_ = nullptr;
        *end_ = &w;
        end_ = &w.next_;
    }
    void leave(waiter& w) {
        if (!w.listed_) return;
        w.listed_ = false;
        waiter** at = &first_;
        while (*at != &w) at = &(*at)->next_;
        *at = w.next_;
        if (*at == nullptr) end_ = at;
    }
    /// The first one has what it waits for.
    void serve_first() {
        waiter* const w = first_;
        leave(*w);
        w->served_ = true;
        w->wake_.notify_one();   // w lives until its thread has the mutex again
    }
    /// All who wait are asked for something: their wait returns, but they still stand in the list.
    void call_all() {
        for (waiter* w = first_; w != nullptr; w = w->next_) {
            w->called_ = true;
            w->wake_.notify_one();
        }
    }
    /// Nobody waits any more, nor will, and nobody is served.
    void close() {
        closed_ = true;
        while (first_ != nullptr) {
            waiter& w = *first_;
            leave(w);
            w.wake_.notify_one();   // w lives until its thread has the mutex again
        }
    }

    /// Blocks who has entered, until serve_first() of it, or call_all(). In all other cases it has left the list. A waiter that has been served is served, whatever
    /// else has happened.
    wait_result wait(waiter& w, std::unique_lock<std::mutex>& lock, wait_options const& options) {
        if (w.served_) return wait_result::served;
        auto const deadline = deadline_of(options.timeout);
        // Both ends of a callback may wait for the thread that runs it, which wants the mutex.
        lock.unlock();
        wait_result result = wait_result::served;
        {
            std::stop_callback const on_stop(options.stop, [&w, mutex = lock.mutex()] {
                std::lock_guard const held(*mutex);
                w.wake_.notify_one();
            });
            if (options.timeout > std::chrono::nanoseconds(0)) spin(w);
            lock.lock();
            for (;;) {
                if (w.served_) break;
                if (closed_) result = wait_result::closed;
                else if (options.stop.stop_requested()) result = wait_result::stopped;
                else if (std::chrono::steady_clock::now() >= deadline) result = wait_result::timed_out;
                if (result != wait_result::served) {
                    leave(w);
                    break;
                }
                if (w.called_.exchange(false)) {
                    result = wait_result::called;
                    break;
                }
                if (deadline == no_deadline) w.wake_.wait(lock);
                else w.wake_.wait_until(lock, deadline);
            }
            lock.unlock();
        }
        lock.lock();
        return result;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
