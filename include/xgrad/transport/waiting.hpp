// SPDX-License-Identifier: MIT
// Blocking waits. One ends when it is served (in order of arrival), times out, is stopped, or its object is closed.
// They allocate nothing.
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

/// The wait timed out. Nothing has been changed.
struct timeout_error : error {
    using error::error;
};
/// A stop was requested, or the object that the call waits for was closed. Nothing has been changed.
struct cancelled_error : error {
    using error::error;
};

/// How long a call may block: `{.timeout = 2s, .stop = token}`. By default a call waits until it is served, or until the object it waits
/// for is closed.
struct wait_options {
    std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max();   // 0: do not wait
    std::stop_token stop{};
};

namespace detail {

inline constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();
inline std::chrono::steady_clock::time_point deadline_of(std::chrono::nanoseconds timeout) {
    auto const now = std::chrono::steady_clock::now();
    return timeout >= no_deadline - now ? no_deadline : now + timeout;
}
/// Divides one time-out among several waits: each gets the time that is left, and the same stop token.
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

/// Tells the processor that this is a spin loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

enum class wait_result { served, called, timed_out, stopped, closed };

/// Waiters, served first come, first served. Call every function with the mutex of the owner held; `wait` releases it while it blocks.
class waiting_list {
public:
    /// One blocked call. It is on the stack of the waiting thread.
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

    // Spins briefly before sleeping. Waking a sleeping thread takes at least as long as this loop, and much longer if the processor has
    // gone to sleep too.
    static void spin(waiter const& w) {
        static bool const alone = std::thread::hardware_concurrency() == 1;
        auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(alone ? 0 : 20);
        do {
            for (int k = 0; k < 20; ++k) {
                if (w.served_.load(std::memory_order_relaxed) || w.called_.load(std::memory_order_relaxed)) return;
                relax();
            }
            std::this_thread::yield();   // the thread that will serve this waiter may need this core
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
    /// Null if the list is empty.
    waiter* first() const { return first_; }
    /// Does nothing if the list is closed; `wait` then reports it.
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
    /// Serves the first waiter: its wait returns `served`.
    void serve_first() {
        waiter* const w = first_;
        leave(*w);
        w->served_ = true;
        w->wake_.notify_one();   // w exists until its thread has the mutex again
    }
    /// Makes all waits return `called`. The waiters stay in the list.
    void call_all() {
        for (waiter* w = first_; w != nullptr; w = w->next_) {
            w->called_ = true;
            w->wake_.notify_one();
        }
    }
    /// Ends all waits, now and in future, without serving them.
    void close() {
        closed_ = true;
        while (first_ != nullptr) {
            waiter& w = *first_;
            leave(w);
            w.wake_.notify_one();   // w exists until its thread has the mutex again
        }
    }

    /// Blocks a waiter that has entered until serve_first() serves it or call_all() is called. With any other result it has left the list.
    /// A waiter that has been served gets `served`, whatever else has happened.
    wait_result wait(waiter& w, std::unique_lock<std::mutex>& lock, wait_options const& options) {
        if (w.served_) return wait_result::served;
        auto const deadline = deadline_of(options.timeout);
        // Constructor and destructor of a stop_callback may wait for the thread that runs the callback, and the callback needs the mutex.
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
