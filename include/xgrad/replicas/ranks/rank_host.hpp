// SPDX-License-Identifier: MIT
// Rank 0's side of any run over ranks: agreement of all, stops, failures, lost ranks, and the end.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_members.hpp>
#include <xgrad/replicas/replica_state.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Serves a run in its own thread in rank 0. It knows the worker of rank 0, like all others, only by messages. Duplicate messages, and
/// those of other runs, change nothing. `Work` derives from this class and handles what the workers give:
///
///     void begin()   all ranks are there and agree
///     void add_welcome(int k, outgoing&)   adds what worker k needs to begin, in addition to the state
///     void take_given(int k, received const&, rank_header const&)   a contribution of worker k, in `arriving_`; if it throws, k has failed
///     void take_serves(int k)         rank k owns a share of the variables from now on
///     bool must_serve(int k)          whether this is still missing, also for a worker that waits or has ended
///     void leave(int k, rank_header const*)   worker k has ended with this message, or is lost (null)
///     void finish()                   all have ended; brings the trainer to its final state
///     void add_report(outgoing&)      nothing changes after this
///     void tell_end()                 tells all others that listen, such as owner ranks
///     int culprit(int k)              the worker to blame for an exception while reading k's message; k = 0 if no message is read
template<class T, class Work>
class rank_host : protected rank_members<T> {
protected:
    using members = rank_members<T>;
    using typename members::clock, typename members::member;
    using members::options_, members::members_, members::stopping_, members::link_, members::run_, members::message_, members::arriving_;
    using members::at, members::all_here, members::any_leaves, members::has_deadline, members::rank, members::size, members::body;
    using members::stop, members::receive, members::send, members::send_as, members::keep_alive, members::show_life;

private:
    replica_state state_;
    std::string const description_;
    std::int64_t drawn_ = 0;
    bool agreed_ = false;
    int failed_worker_ = -1;
    std::string failed_text_;
    std::exception_ptr failed_;   // if it was thrown in this rank

    Work& work() { return static_cast<Work&>(*this); }
    // Records why the run ends. The first reason counts.
    void note(int k, std::string text, std::exception_ptr what = nullptr) {
        if (failed_worker_ >= 0) return;
        failed_worker_ = k;
        failed_text_ = std::move(text);
        failed_ = std::move(what);
    }
    void fail(int k, std::string text, std::exception_ptr what = nullptr) {
        note(k, std::move(text), std::move(what));
        stop();
    }
    void lose(int k) {
        at(k).lost = true;
        link_.note_silent(k);
        send(k, rank_word::lost);
        auto const left =
            std::count_if(members_.begin(), members_.end(), [](member const& m) { return !m.lost; });   // includes workers that have ended
        if (left < options_.min_workers) fail(k, text_of_loss(options_, static_cast<int>(left)));
        work().leave(k, nullptr);
    }
    void take_given(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (m.gone() || m.waits || head.sequence <= m.sequence) return;
        m.since = clock::now();
        drawn_ = std::max(drawn_, head.draw);
        work().take_given(k, r, head);
    }
    void take_end(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (m.ended && head.number == ending::stop_requested) stop();
        if (m.gone()) return;
        m.ended = true;
        drawn_ = std::max(drawn_, head.draw);
        if (head.number == ending::failed) fail(k, body(r).text());
        else if (head.number == ending::stop_requested) stop();
        work().leave(k, &head);
    }
    // Rank k has failed before the run, and has gone.
    void cannot_begin(int k, received const& r) {
        note(k, body(r).text());
        at(k).here = false;
        at(k).lost = true;
    }
    void take_hello(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (agreed_ && m.gone())
            return send_as(head.run, k, rank_word::alive);   // a hello for the next run, read by this one's host: rank k will repeat it
        if (head.number == ending::failed) return agreed_ ? void() : cannot_begin(k, r);
        if (m.leaves || (m.here && m.hello == head.run)) return;   // after leaving, a rank says hello to the next host
        m.here = true;
        m.hello = head.run;
        m.description = body(r).text();
        if (!agreed_ && stopping_) send(k, rank_word::stop);
        if (agreed_ && m.sequence == 0 && !m.gone()) welcome(k);
    }
    // Rank k has left before it heard that all are here.
    void take_leave(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (!m.here || m.hello != head.run) return;
        if (agreed_ && !m.gone() && (head.number == ending::failed || head.number == ending::stop_requested)) take_end(k, r, head);
        if (agreed_) return;
        if (head.number == ending::failed) return cannot_begin(k, r);
        if (head.number == ending::stopped_after_hello && stopping_) {   // it has our stop, and continues with its next run
            m.leaves = true;
            return;
        }
        m.leaves = head.number == ending::stop_requested;
        m.here = m.leaves;
    }
    void welcome(int k) {
        message_.add(run_);
        work().add_welcome(k, message_);
        if (k != rank()) state_.add_all(message_);   // rank 0 has the state
        send_as(at(k).hello, k, rank_word::agreed);
        at(k).welcomed = true;
        at(k).since = clock::now();
    }
    // A sign of life from a worker whose message is due.
    void take_alive(int k) {
        if (member& m = at(k); !m.gone() && !m.waits) m.since = clock::now();
    }
    void take(received const& r) {
        if (r.bytes < sizeof(rank_header)) return;
        rank_header head;
        std::memcpy(&head, arriving_.data(), sizeof head);
        if (head.magic != rank_header{}.magic) return;
        if (head.word == rank_word::hello) return take_hello(r.from, r, head);
        if (head.word == rank_word::ended && head.run != run_) return take_leave(r.from, r, head);
        if (!agreed_ || head.run != run_) return;
        if (head.word == rank_word::alive) return take_alive(r.from);
        show_life();
        if (head.word == rank_word::gradient) take_given(r.from, r, head);
        else if (head.word == rank_word::ended) take_end(r.from, r, head);
        else if (head.word == rank_word::serves) work().take_serves(r.from);
    }
    bool is_overdue(int k) {
        member const& m = at(k);
        bool const its_turn = (!m.ended && (stopping_ || !m.waits)) || work().must_serve(k);
        return !m.lost && its_turn && clock::now() - m.since > options_.deadline;
    }
    // Looks for lost workers. First reads their pending messages: rank 0 may have been too busy. `worker` is set to the sender.
    void look_round(int& worker) {
        if (!has_deadline()) return;
        for (int k = 0; k < size(); ++k)
            while (is_overdue(k)) {
                worker = k;
                auto const r = receive(std::chrono::nanoseconds{0}, k);
                if (r) take(*r);
                worker = 0;
                if (!r) lose(k);
            }
        keep_alive();
    }
    void turn() {
        int worker = 0;
        try {
            if (auto const r = receive(patience_of(options_.deadline))) {
                worker = r->from;
                take(*r);
            } else if (link_.stop_requested()) stop();
            worker = 0;
            look_round(worker);
        } catch (...) {
            link_.rethrow_if_failed();
            auto const what = std::current_exception();
            fail(work().culprit(worker), text_of(what), what);
        }
    }

    // Whether rank 0 need not wait any longer.
    bool is_settled() const { return all_here() || failed_worker_ >= 0 || (!stopping_ && any_leaves()); }
    // Before all are here: waits for a message. Once settled, drains those that arrived, because a later one may cancel an old hello.
    bool take_early(clock::time_point deadline) {
        auto const left = deadline == no_deadline ? std::chrono::nanoseconds::max() : std::chrono::nanoseconds(deadline - clock::now());
        auto const r = receive(is_settled() ? std::chrono::nanoseconds{0} : std::min(left, patience_of(options_.deadline)));
        if (r) take(*r);
        stopping_ = stopping_ || link_.stop_requested();
        return r.has_value() || (!is_settled() && clock::now() < deadline);
    }
    // A stop has come before all were here. Tells each rank once; those that are not here read it when they begin.
    void turn_away() {
        stopping_ = true;
        for (int k = 0; k < size(); ++k)
            if (at(k).here) send(k, rank_word::stop);
        auto const deadline = deadline_of(std::min(options_.deadline, time_to_answer));
        while (take_early(deadline)) {}
        for (int k = 0; k < size(); ++k)
            if (!at(k).here) {
                at(k).hello = 0;
                send(k, rank_word::stop);
            }
    }
    void refuse(int k, refusal why, int worker, std::string const& text) {
        std::int64_t const which = worker;
        std::uint64_t const n = text.size();
        message_.add(which);
        message_.add_text(n, text);
        send(k, rank_word::refused, static_cast<std::int64_t>(why));
    }
    void tell_failed(int k) {
        if (!at(k).here) at(k).hello = 0;   // it reads this when it begins
        refuse(k, refusal::failed, failed_worker_, failed_text_);
    }
    void refuse(refusal why, int worker, std::string const& text) {
        for (int k = 0; k < size(); ++k)
            if (at(k).here) refuse(k, why, worker, text);
    }
    // Waits until all ranks are here. True if they run the same program and no stop was requested before.
    bool gather() {
        auto const deadline = deadline_of(options_.deadline);
        while (take_early(deadline) && !stopping_) {}
        if (failed_worker_ >= 0) {
            for (int k = 0; k < size(); ++k)
                if (!at(k).lost) tell_failed(k);
            return false;
        }
        if (stopping_ || any_leaves()) {
            turn_away();
            return false;
        }
        if (!all_here()) {
            int missing = 0;
            while (at(missing).here) ++missing;
            for (int k = missing; k < size(); ++k)
                if (!at(k).here) link_.note_silent(k);
            refuse(refusal::missing, missing, message({"it has not begun for ", milliseconds_of(options_.deadline), " ms"}));
            return false;
        }
        for (int k = 0; k < size(); ++k) {
            std::string_view mine = description_, theirs = at(k).description;
            if (!first_difference(mine, theirs)) continue;
            refuse(is_of_shapes(mine, theirs) ? refusal::shape : refusal::value, k,
                message({"xgrad: replicas: the ranks differ: rank 0 has ", mine, ", rank ", k, " has ", theirs}));
            return false;
        }
        work().begin();
        for (int k = 0; k < size(); ++k) welcome(k);
        return agreed_ = true;
    }
    void tell_finished(int k) {
        std::int64_t const worker = failed_worker_;
        std::uint64_t const n = failed_text_.size();
        message_.add(worker);
        message_.add_text(n, failed_text_);
        work().add_report(message_);
        if (k != rank()) state_.add_all(message_);
        send(k, rank_word::finished);
    }
    void finish() {
        try {
            show_life();
            work().finish();
        } catch (...) {
            link_.rethrow_if_failed();
            auto const what = std::current_exception();
            fail(work().culprit(0), text_of(what), what);
        }
        work().tell_end();
        for (int k = 0; k < size(); ++k)
            if (!at(k).lost) tell_finished(k);
    }
    // The transport has failed in this rank; tells the others if it still can.
    void give_up() noexcept {
        auto const try_to = [&](auto const& f) {
            try {
                f();
            } catch (...) {   // then they wait until their deadline
            }
        };
        try_to([&] { note(rank(), text_of(link_.failed())); });
        try_to([&] { work().tell_end(); });
        for (int k = 0; k < size(); ++k)
            if (k != rank() && !at(k).lost)
                try_to([&] {
                    if (at(k).welcomed) return tell_finished(k);
                    tell_failed(k);
                });
    }

protected:
    /// All ranks begin with the state of this trainer, and receive it in the end.
    template<class P>
    rank_host(trainer<P>& train, rank_link<T>& link, crew_options const& options, std::string description)
        : members(link, options), state_(train), description_(std::move(description)), drawn_(train.store().steps) {}
    rank_host(rank_host const&) = delete;
    ~rank_host() = default;

    /// Number of random draws: the largest one of any worker.
    std::int64_t drawn() const { return drawn_; }

public:
    /// Serves the run from the hellos until all ranks have ended or are lost.
    void serve() noexcept {
        try {
            if (!gather()) return;
            while (std::any_of(members_.begin(), members_.end(), [](member const& m) { return !m.gone(); })) turn();
            finish();
        } catch (...) {
            link_.fail(std::current_exception());
            give_up();
        }
    }
    /// The exception of this rank that has ended the run, or null.
    std::exception_ptr const& failed() const { return failed_; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
