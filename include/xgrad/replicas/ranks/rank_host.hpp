// SPDX-License-Identifier: MIT
// Rank 0's half of any run over ranks: all are there and agree, who stops, fails or is lost, and how it ends.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_link.hpp>
#include <xgrad/replicas/ranks/rank_message.hpp>
#include <xgrad/replicas/replica_state.hpp>

#include <algorithm>
#include <deque>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Runs in a thread of its own, beside the worker of rank 0, which it knows as it knows all others: by messages. A message that comes twice, or is of
/// another run, changes nothing. `Work`, which derives from it, knows what workers give, and has
///
///     void begin()   all ranks are there and agree
///     void add_welcome(int k, outgoing&)   what worker k must know to begin, besides the state
///     void take_given(int k, received const&, rank_header const&)   worker k has given something, in `arriving_`; may throw, and then the run fails on k
///     void take_serves(int k)         rank k moves a share of the variables from now on
///     bool must_serve(int k)          that is still to come, also from a worker that waits or has ended
///     void leave(int k, rank_header const*)   worker k has ended with this word, or is lost with none
///     void finish()                   all have; the trainer has its state of now
///     void add_report(outgoing&)      behind which nothing changes
///     void tell_end()                 to whom else there is
///     int culprit(int k)              on whom a run fails where something is thrown while worker k is heard, 0 where that is nobody
template<class T, class Work>
class rank_host {
    using clock = std::chrono::steady_clock;
    struct member {
        bool here = false;     // has said hello
        bool leaves = false;   // before all are here, because a stop was requested there
        bool welcomed = false;
        bool ended = false;   // its work; then it waits for the others
        bool lost = false;
        bool waits = false;        // for an answer: nothing has to come from it
        std::uint64_t hello = 0;   // the number of its own to which the answer belongs
        std::string description;
        std::int64_t sequence = 0;   // of what it has given last
        clock::time_point since;     // its last sign, or the answer to it
        clock::time_point told;      // when it was sent something

        bool gone() const { return ended || lost; }
    };
    crew_options const options_;
    replica_state state_;
    std::string const description_;
    std::deque<member> members_;
    std::int64_t drawn_ = 0;
    bool stopping_ = false, agreed_ = false;
    int failed_worker_ = -1;
    std::string failed_text_;
    std::exception_ptr failed_;   // where it was thrown here

    Work& work() { return static_cast<Work&>(*this); }
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
                if (at(k).waits) at(k).since = clock::now();   // now it has to do something
                send(k, rank_word::stop);
            }
    }
    // What ends the run: of several the first.
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
            std::count_if(members_.begin(), members_.end(), [](member const& m) { return !m.lost; });   // also those who have ended
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
        if (m.ended && head.number == 2) stop();
        if (m.gone()) return;
        m.ended = true;
        drawn_ = std::max(drawn_, head.draw);
        if (head.number == 1) fail(k, body(r).text());
        else if (head.number == 2) stop();
        work().leave(k, &head);
    }
    // Something has failed there, and it has gone.
    void cannot_begin(int k, received const& r) {
        note(k, body(r).text());
        at(k).here = false;
        at(k).lost = true;
    }
    void take_hello(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (agreed_ && m.gone())
            return send_as(head.run, k, rank_word::alive);   // early for the next run, of another host: it says hello again until then
        if (head.number == 1) return agreed_ ? void() : cannot_begin(k, r);
        if (m.leaves || (m.here && m.hello == head.run)) return;   // who has left says hello again, to the next host
        m.here = true;
        m.hello = head.run;
        m.description = body(r).text();
        if (!agreed_ && stopping_) send(k, rank_word::stop);
        if (agreed_ && m.sequence == 0 && !m.gone()) welcome(k);
    }
    // One that has left before it was told that all are here.
    void take_leave(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (!m.here || m.hello != head.run) return;
        if (agreed_ && !m.gone() && (head.number == 1 || head.number == 2)) take_end(k, r, head);
        if (agreed_) return;
        if (head.number == 1) return cannot_begin(k, r);
        if (head.number == 4 && stopping_) {   // it has been told here, and goes on to the next run
            m.leaves = true;
            return;
        }
        m.leaves = head.number == 2;
        m.here = m.leaves;
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
    void welcome(int k) {
        message_.add(run_);
        work().add_welcome(k, message_);
        if (k != rank()) state_.add_all(message_);   // where it is
        send_as(at(k).hello, k, rank_word::agreed);
        at(k).welcomed = true;
        at(k).since = clock::now();
    }
    // A sign of life of one that has to do something.
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
    std::optional<received> receive(std::chrono::nanoseconds timeout, int from = any_rank) {
        auto const r =
            link_.try_receive(from, to_coordinator_tag, arriving_, {.timeout = timeout, .stop = stopping_ ? link_.end() : link_.stop()});
        link_.rethrow_if_failed();
        return r;
    }
    bool is_overdue(int k) {
        member const& m = at(k);
        bool const its_turn = (!m.ended && (stopping_ || !m.waits)) || work().must_serve(k);
        return !m.lost && its_turn && clock::now() - m.since > options_.deadline;
    }
    // What has come from a worker is no older than what rank 0 did in place of reading it. `worker` is whose message is read.
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

    // Whether rank 0 need not wait any more.
    bool is_settled() const { return all_here() || failed_worker_ >= 0 || (!stopping_ && any_leaves()); }
    // The next message before all are here; what has come until then is read in whole, because hellos of earlier runs may be among it, and that they are over.
    bool take_early(clock::time_point deadline) {
        auto const left = deadline == no_deadline ? std::chrono::nanoseconds::max() : std::chrono::nanoseconds(deadline - clock::now());
        auto const r = receive(is_settled() ? std::chrono::nanoseconds{0} : std::min(left, patience_of(options_.deadline)));
        if (r) take(*r);
        stopping_ = stopping_ || link_.stop_requested();
        return r.has_value() || (!is_settled() && clock::now() < deadline);
    }
    // A stop has come before all were here. Each rank is told once: those that are not here find it when they begin.
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
        if (!at(k).here) at(k).hello = 0;   // it finds that when it begins
        refuse(k, refusal::failed, failed_worker_, failed_text_);
    }
    void refuse(refusal why, int worker, std::string const& text) {
        for (int k = 0; k < size(); ++k)
            if (at(k).here) refuse(k, why, worker, text);
    }
    // Whether all ranks are here, with one program, and no stop was requested before.
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
    // The transport has failed here, and may still carry a word to some.
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
    rank_link<T>& link_;
    std::uint64_t const run_;
    outgoing message_;
    message_buffer arriving_;

    /// Of a trainer whose state is that of all when the run begins, and that is sent to all when it ends.
    template<class P>
    rank_host(trainer<P>& train, rank_link<T>& link, crew_options const& options, std::string description)
        : options_(options), state_(train), description_(std::move(description)), members_(static_cast<std::size_t>(link.size())),
          drawn_(train.store().steps), link_(link), run_(fresh_number(link.rank())) {}
    rank_host(rank_host const&) = delete;
    ~rank_host() = default;

    int rank() const { return link_.rank(); }
    int size() const { return link_.size(); }
    bool stopping() const { return stopping_; }
    /// Random numbers, at most by one worker.
    std::int64_t drawn() const { return drawn_; }
    /// Of the last thing that worker k has given.
    std::int64_t sequence(int k) const { return members_[static_cast<std::size_t>(k)].sequence; }
    /// What a message says behind its header.
    incoming body(received const& r) const {
        incoming m(arriving_, r);
        m.read<rank_header>();
        return m;
    }
    /// The message in the making to one rank.
    void send(int k, rank_word word, std::int64_t number = 0) { send_as(at(k).welcomed ? run_ : at(k).hello, k, word, number); }
    /// What worker k has given is whole, and it waits for an answer. False where all are to stop: then that is the answer.
    bool accept(int k, rank_header const& head) {
        at(k).sequence = head.sequence;
        if (stopping_) {
            send(k, rank_word::stop);
            return false;
        }
        return at(k).waits = true;
    }
    /// The answer, in the making, to what worker k has given; how many seconds it has waited for it.
    double answer(int k) {
        member& m = at(k);
        send(k, rank_word::token);
        m.waits = false;
        return std::chrono::duration<double>(clock::now() - std::exchange(m.since, clock::now())).count();
    }
    /// While it waits for others: workers hear that rank 0 is there.
    void keep_alive() { show_life(4); }
    /// Before what may take long: then they wait for a deadline from now on, less one part of so many.
    void show_life(int part = 64) {
        for (int k = 0; has_deadline() && k < size(); ++k)
            if (!at(k).lost && clock::now() - at(k).told > options_.deadline / part) send(k, rank_word::alive);
    }

public:
    /// From the hello of all ranks until all have ended or are lost.
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
    /// What was thrown here and has ended the run, or null.
    std::exception_ptr const& failed() const { return failed_; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
