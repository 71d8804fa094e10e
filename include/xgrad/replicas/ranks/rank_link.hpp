// SPDX-License-Identifier: MIT
// The transport of one rank in one run. It remembers its first failure.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/worker_crew.hpp>
#include <xgrad/transport/transport.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Wraps a transport. If it throws in one thread of a rank, the waits of the rank's other threads end. It can still be used to tell other
/// ranks.
template<class T>
class rank_link {
    struct asked {
        std::stop_source to;
        void operator()() const { to.request_stop(); }
    };
    T& transport_;
    std::stop_token user_;
    std::stop_source end_ = new_stop_source(), stop_ = new_stop_source();
    std::stop_callback<asked> by_user_{user_, asked{stop_}}, by_end_{end_.get_token(), asked{stop_}};
    mutable std::mutex mutex_;
    std::exception_ptr what_;   // the first of several

    template<class F>
    auto noted(F const& f) {
        try {
            return f();
        } catch (...) {
            fail(std::current_exception());
            throw;
        }
    }

public:
    rank_link(T& transport, std::stop_token stop) : transport_(transport), user_(std::move(stop)) {}
    rank_link(rank_link const&) = delete;

    int rank() const { return transport_.rank(); }
    int size() const { return transport_.size(); }
    void send(int to, int tag, std::span<message_bytes const> parts) {
        noted([&] { transport_.send(to, tag, parts); });
    }
    std::optional<received> try_receive(int from, int tag, message_buffer& buffer, wait_options const& options = {}) {
        return noted([&] { return transport_.try_receive(from, tag, buffer, options); });
    }

    /// Rank k is lost, because nothing has come from it for too long. Passed on to transports whose destructor waits for all ranks.
    void note_silent(int k) {
        if constexpr (requires { transport_.note_silent(k); }) transport_.note_silent(k);
    }
    /// Whether the user has requested a stop.
    bool stop_requested() const { return user_.stop_requested(); }
    /// Ends waits when the user requests a stop, or when no message can arrive any more.
    std::stop_token stop() const { return stop_.get_token(); }
    /// Ends waits when no message can arrive any more, or no work is left.
    std::stop_token end() const { return end_.get_token(); }
    void request_end() { end_.request_stop(); }
    /// Records that the transport, or this rank's use of it, has failed.
    void fail(std::exception_ptr what) {
        {
            std::lock_guard const lock(mutex_);
            if (what_ == nullptr) what_ = std::move(what);
        }
        request_end();
    }
    /// The first failure, or null.
    std::exception_ptr failed() const {
        std::lock_guard const lock(mutex_);
        return what_;
    }
    void rethrow_if_failed() const {
        if (auto const what = failed(); what != nullptr) std::rethrow_exception(what);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
