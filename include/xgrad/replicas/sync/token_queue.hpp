// SPDX-License-Identifier: MIT
// The queue of tokens that lets workers begin their next step.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/sequence.hpp>
#include <xgrad/transport/waiting.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// An unbounded first-in, first-out queue of numbers. Waiting calls are served in order of arrival. Any thread may call any function. It
/// works like TensorFlow's FIFOQueue of single numbers.
class token_queue {
    struct run {
        std::int64_t token, count;
    };
    struct waiter : detail::waiting_list::waiter {
        std::int64_t token = 0;
    };
    mutable std::mutex mutex_;
    detail::waiting_list waiters_;
    sequence<run> runs_;   // equal tokens in a row share one entry
    int first_ = 0;        // first entry of runs_ that is left

    std::int64_t pop() {
        run& r = runs_.at[first_];
        std::int64_t const token = r.token;
        if (--r.count == 0 && ++first_ == runs_.count) {
            runs_.clear();
            first_ = 0;
        }
        return token;
    }
    void push(std::int64_t token, std::int64_t count) {
        if (runs_.count > first_ && runs_.last().token == token) return void(runs_.last().count += count);
        // Reuses the memory of entries that are gone.
        if (runs_.count == runs_.room && first_ > 0) {
            for (int k = first_; k < runs_.count; ++k) runs_.at[k - first_] = runs_.at[k];
            runs_.count -= first_;
            first_ = 0;
        }
        runs_.push({token, count});
    }

public:
    /// Puts `count` copies of a token at the end. After close() it throws cancelled_error.
    void enqueue(std::int64_t token, std::int64_t count = 1) {
        std::lock_guard const lock(mutex_);
        if (waiters_.closed()) raise<cancelled_error>("xgrad: the token queue is closed");
        if (count <= 0) return;
        push(token, count);
        while (first_ < runs_.count && waiters_.first() != nullptr) {
            static_cast<waiter*>(waiters_.first())->token = pop();
            waiters_.serve_first();
        }
    }
    /// Takes the first token; calls that have waited longer are served first. Throws timeout_error and cancelled_error, which is also
    /// thrown after close() once no tokens are left. The queue is then as if the call had not waited.
    std::int64_t dequeue(wait_options const& options = {}) {
        std::unique_lock lock(mutex_);
        if (first_ < runs_.count) return pop();   // if there are tokens, no call waits
        waiter w;
        waiters_.enter(w);
        switch (waiters_.wait(w, lock, options)) {
        case detail::wait_result::served: return w.token;
        case detail::wait_result::timed_out: raise<timeout_error>("xgrad: no token has come in time");
        case detail::wait_result::stopped: raise<cancelled_error>("xgrad: the wait for a token was cancelled: a stop was requested");
        case detail::wait_result::called:   // never happens here
        case detail::wait_result::closed: break;
        }
        raise<cancelled_error>("xgrad: the wait for a token was cancelled: the token queue is closed");
    }
    /// Ends all waits with cancelled_error. Tokens in the queue may still be taken.
    void close() {
        std::lock_guard const lock(mutex_);
        waiters_.close();
    }
    bool closed() const {
        std::lock_guard const lock(mutex_);
        return waiters_.closed();
    }
    std::int64_t size() const {
        std::lock_guard const lock(mutex_);
        std::int64_t n = 0;
        for (int k = first_; k < runs_.count; ++k) n += runs_.at[k].count;
        return n;
    }
    /// The tokens in the queue, the first one first.
    sequence<std::int64_t> tokens() const {
        std::lock_guard const lock(mutex_);
        sequence<std::int64_t> all;
        for (int k = first_; k < runs_.count; ++k)
            for (std::int64_t n = runs_.at[k].count; n > 0; --n) all.push(runs_.at[k].token);
        return all;
    }
    /// The first token, or `none` if the queue is empty.
    std::int64_t first_or(std::int64_t none) const {
        std::lock_guard const lock(mutex_);
        return first_ < runs_.count ? runs_.at[first_].token : none;
    }
    int num_waiting() const {
        std::lock_guard const lock(mutex_);
        return waiters_.count();
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
