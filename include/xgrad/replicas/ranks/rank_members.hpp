// SPDX-License-Identifier: MIT
// The ranks of a run as rank 0 knows them, and its messages to them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_link.hpp>
#include <xgrad/replicas/ranks/rank_message.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What rank 0 knows of each rank, and what it sends. Only the thread that serves the run uses it.
template<class T>
class rank_members {
protected:
    using clock = std::chrono::steady_clock;
    struct member {
        bool here = false;     // has said hello
        bool leaves = false;   // before all are here, because a stop was requested there
        bool welcomed = false;
        bool ended = false;   // its work has ended; it waits for the others
        bool lost = false;
        bool waits = false;        // for an answer; no message is due from it
        std::uint64_t hello = 0;   // the run number of its hello, which the answer repeats
        std::string description;
        std::int64_t sequence = 0;   // of its last contribution
        clock::time_point since;     // its last sign of life, or our answer
        clock::time_point told;      // time of our last message to it

        bool gone() const { return ended || lost; }
    };
    crew_options const options_;
    std::deque<member> members_;
    bool stopping_ = false;
    rank_link<T>& link_;
    std::uint64_t const run_;
    outgoing message_;
    message_buffer arriving_;

    rank_members(rank_link<T>& link, crew_options const& options)
        : options_(options), members_(static_cast<std::size_t>(link.size())), link_(link), run_(fresh_number(link.rank())) {}
    rank_members(rank_members const&) = delete;
    ~rank_members() = default;

    member& at(int k) { return members_[static_cast<std::size_t>(k)]; }
    bool all_here() const {
        return std::all_of(members_.begin(), members_.end(), [](member const& m) { return m.here; });
    }
    bool any_leaves() const {
        return std::any_of(members_.begin(), members_.end(), [](member const& m) { return m.leaves; });
    }
    bool has_deadline() const { return detail::has_deadline(options_.deadline); }

    void stop() {
        if (stopping_) return;
        stopping_ = true;
        for (int k = 0; k < size(); ++k)
            if (!at(k).gone()) {
                if (at(k).waits) at(k).since = clock::now();   // from now on a message is due
                send(k, rank_word::stop);
            }
    }

    int rank() const { return link_.rank(); }
    int size() const { return link_.size(); }
    bool stopping() const { return stopping_; }
    /// The number of worker k's last contribution.
    std::int64_t sequence(int k) const { return members_[static_cast<std::size_t>(k)].sequence; }
    std::optional<received> receive(std::chrono::nanoseconds timeout, int from = any_rank) {
        auto const r =
            link_.try_receive(from, to_coordinator_tag, arriving_, {.timeout = timeout, .stop = stopping_ ? link_.end() : link_.stop()});
        link_.rethrow_if_failed();
        return r;
    }
    /// The contents of a message after its header.
    incoming body(received const& r) const {
        incoming m(arriving_, r);
        m.read<rank_header>();
        return m;
    }
    void send_as(std::uint64_t run, int k, rank_word word, std::int64_t number = 0) {
        rank_header head;
        head.run = run;
        head.sequence = at(k).sequence;
        head.number = number;
        head.word = word;
        message_.send(link_, k, to_worker_tag, head);
        at(k).told = clock::now();
    }
    /// Sends the prepared message to rank k.
    void send(int k, rank_word word, std::int64_t number = 0) { send_as(at(k).welcomed ? run_ : at(k).hello, k, word, number); }
    /// Accepts a complete contribution of worker k, which waits for an answer. Returns false if all must stop; the stop is the answer then.
    bool accept(int k, rank_header const& head) {
        at(k).sequence = head.sequence;
        if (stopping_) {
            send(k, rank_word::stop);
            return false;
        }
        return at(k).waits = true;
    }
    /// Sends worker k the prepared answer to its contribution. Returns how many seconds it has waited.
    double answer(int k) {
        member& m = at(k);
        send(k, rank_word::token);
        m.waits = false;
        return std::chrono::duration<double>(clock::now() - std::exchange(m.since, clock::now())).count();
    }
    /// Call it while waiting: tells the workers that rank 0 is alive.
    void keep_alive() { show_life(4); }
    /// Call it before work that may take long. Workers then wait for rank 0 for at least deadline - deadline / part.
    void show_life(int part = 64) {
        for (int k = 0; has_deadline() && k < size(); ++k)
            if (!at(k).lost && clock::now() - at(k).told > options_.deadline / part) send(k, rank_word::alive);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
