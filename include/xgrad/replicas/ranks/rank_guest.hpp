// SPDX-License-Identifier: MIT
// A worker's side of any run over ranks: agreement with rank 0, stops, and the end.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/rank_link.hpp>
#include <xgrad/replicas/ranks/rank_message.hpp>
#include <xgrad/replicas/replica_state.hpp>

#include <optional>
#include <thread>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Throws value_error if `workers` differs from the number of ranks. The default 1 is accepted.
inline void check_workers(std::string_view method, int workers, int ranks) {
    if (workers != 1 && workers != ranks)
        raise_parts<value_error>(
            {"xgrad: ", method, ": ", workers, " workers over a transport of ", ranks, " ranks: there is one in each; remove .workers"});
}

/// The thread in which a rank serves the others. The destructor joins it.
class serving_thread {
    std::thread thread_;

public:
    template<class F>
    void start(F f) {
        thread_ = std::thread(std::move(f));
    }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    serving_thread() = default;
    serving_thread(serving_thread const&) = delete;
    ~serving_thread() { join(); }
};

/// Calls `make`, which prepares this rank for a run. If it throws, this rank throws worker_error, and so do the others, which would wait
/// for this rank otherwise.
template<class T, class Make>
auto made_or_told(T& transport, Make const& make) {
    try {
        return make();
    } catch (...) {
        auto const what = std::current_exception();
        std::string const why = text_of(what);
        outgoing message;
        rank_header head;
        std::int64_t const worker = transport.rank();
        std::uint64_t const n = why.size();
        try {
            if (worker == 0) {
                head.word = rank_word::refused;
                head.number = static_cast<std::int64_t>(refusal::failed);
                for (int k = 1; k < transport.size(); ++k) {   // they read it when they begin
                    message.add(worker);
                    message.add_text(n, why);
                    message.send(transport, k, to_worker_tag, head);
                }
            } else {
                head.number = ending::failed;
                message.add_text(n, why);
                message.send(transport, 0, to_coordinator_tag, head);
            }
        } catch (...) {   // then the others wait until their deadline
        }
        throw worker_error(transport.rank(), what, why);
    }
}

/// The messages between one rank and the host in rank 0. The worker of rank 0 is a guest like all others.
template<class T>
class rank_guest {
    replica_state state_;
    std::string description_;
    received last_{};
    message_buffer ending_;
    std::optional<received> finished_;   // the last message of rank 0; its bytes are in `ending_`
    std::uint64_t run_;
    std::int64_t steps_ = 0, since_ = 0;
    std::chrono::steady_clock::time_point said_;          // of the last message to rank 0
    bool begun_ = false, lost_ = false, alone_ = false;   // lost_: it was left behind; alone_: nothing arrives any more
    bool told_ = false;                                   // rank 0 has sent the result of this rank, or knows it

    bool has_deadline() const { return detail::has_deadline(options_.deadline); }
    // Reads the next message of this run. Returns nothing after the time-out, or if a stop is requested.
    std::optional<rank_header> next(wait_options const& options) {
        for (;;) {
            auto const r = link_.try_receive(0, to_worker_tag, arriving_, options);
            if (!r) return {};
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, arriving_.data(), sizeof head);
            if (head.magic != rank_header{}.magic || (head.run != run_ && (begun_ || head.run != 0))) continue;
            stopped_ = stopped_ || head.word == rank_word::stop || head.word == rank_word::finished;
            lost_ = lost_ || head.word == rank_word::lost;
            last_ = *r;
            if (head.word == rank_word::finished) {
                finished_ = *r;
                ending_.swap(arriving_);
            }
            return head;
        }
    }
    // Waits for the next message other than a sign of life. Returns nothing if a stop is requested. Rank 0 sends a sign of life four times
    // within a deadline.
    std::optional<rank_header> wait(std::stop_token const& stop) {
        for (;;) {
            auto const head = next({.timeout = options_.deadline, .stop = stop});
            if (!head && stop.stop_requested()) return {};
            if (!head) fail_of_rank(0);
            if (head->word != rank_word::alive) return head;
        }
    }
    void say_hello() {
        std::uint64_t const n = description_.size();
        message_.add_text(n, description_);
        send(rank_word::hello);
    }
    // Says hello until rank 0 answers. It must be repeated, because the host of an earlier run may have read the first one.
    // Returns nothing if a stop was requested here and no answer arrives for a while. It waits for that answer because rank 0 may have
    // agreed before it hears of the stop.
    std::optional<rank_header> answer() {
        std::stop_token stop = link_.stop();
        bool leaves = false;
        auto const patience = [&] { return deadline_of(has_deadline() ? 2 * options_.deadline : options_.deadline); };
        auto deadline = patience();
        for (;;) {
            if (!leaves) say_hello();
            auto const again = deadline_of(std::min(options_.deadline / 4, time_to_answer));
            auto const until = std::min(leaves ? deadline : again, deadline);
            std::optional<rank_header> head;
            do {
                head = next({.timeout = until == no_deadline ? options_.deadline : until - std::chrono::steady_clock::now(), .stop = stop});
                if (head && head->word != rank_word::alive) return head;
                if (head && !leaves) deadline = patience();
            } while (head);
            link_.rethrow_if_failed();
            if (stop.stop_requested()) {
                stop = link_.end();
                leaves = true;
                deadline = deadline_of(std::min(options_.deadline, time_to_answer));
                send(rank_word::ended, ending::stop_requested);
            } else if (std::chrono::steady_clock::now() >= deadline) {
                if (leaves) return {};
                fail_of_rank(0, 2);
            }
        }
    }
    [[noreturn]] void refused(rank_header const& head) {
        told_ = true;
        incoming m = body();
        auto const worker = static_cast<int>(m.read<std::int64_t>());
        std::string const why = m.text();
        switch (static_cast<refusal>(head.number)) {
        case refusal::shape: raise<shape_error>(why);
        case refusal::value: raise<value_error>(why);
        case refusal::missing: link_.note_silent(worker); throw worker_error(worker, std::make_exception_ptr(timeout_error(why)), why);
        case refusal::failed: break;
        }
        throw worker_error(worker, std::make_exception_ptr(error(why)), why);
    }
    std::string text_of_loss() const { return message({"it had given no sign for ", milliseconds_of(options_.deadline), " ms"}); }
    bool is_of_the_stop(std::exception_ptr const& thrown) const {
        try {
            std::rethrow_exception(thrown);
        } catch (cancelled_error const&) { return stopped_ || lost_ || link_.stop_requested(); } catch (...) {
            return false;
        }
    }
    // Tells rank 0 why this rank has failed. If the transport has failed, it may still deliver this; otherwise something else has failed
    // here.
    void say_failed(std::string const& why) noexcept {
        if (rank() == 0 && link_.failed() != nullptr) return;   // the host knows it
        try {
            if (!begun_ && !told_) say_hello();   // the hello may be what failed, and rank 0 listens only to ranks that have said it
            std::uint64_t const n = why.size();
            message_.add_text(n, why);
            send(rank_word::ended, ending::failed);
        } catch (...) {   // then the others wait until their deadline
        }
    }

protected:
    rank_link<T>& link_;
    crew_options const options_;
    outgoing message_;
    message_buffer arriving_;
    std::int64_t sequence_ = 0;
    std::int64_t draw_ = 0;
    bool stopped_ = false;   // a stop was requested

    rank_guest(rank_link<T>& link, crew_options const& options, replica_state state, std::string description)
        : state_(std::move(state)), description_(std::move(description)), run_(fresh_number(link.rank())), link_(link), options_(options) {}
    rank_guest(rank_guest const&) = delete;
    ~rank_guest() = default;

    void send(rank_word word, std::int64_t number = 0, int to = 0, int tag = to_coordinator_tag) {
        rank_header head;
        head.run = run_;
        head.sequence = sequence_;
        head.number = number;
        head.draw = draw_;
        head.steps = steps_;
        head.since = since_;
        head.word = word;
        message_.send(link_, to, tag, head);
        if (to == 0) said_ = std::chrono::steady_clock::now();
    }
    /// Call it during work without messages: it sends rank 0 a sign of life several times within a deadline.
    void show_life() {
        if (has_deadline() && std::chrono::steady_clock::now() - said_ > options_.deadline / 4) send(rank_word::alive);
    }
    /// Sets what the messages report about a worker that takes its own steps.
    void count(std::int64_t steps, std::int64_t since, std::int64_t draw) {
        steps_ = steps;
        since_ = since;
        draw_ = draw;
    }
    /// The contents of the last message after its header.
    incoming body() const { return body(last_); }
    incoming body(received const& r) const {
        incoming m(arriving_, r);
        m.read<rank_header>();
        return m;
    }
    [[noreturn]] void cancel() const {
        link_.rethrow_if_failed();
        if (lost_) raise_parts<cancelled_error>({"xgrad: worker ", rank(), " was left behind: ", text_of_loss()});
        raise<cancelled_error>("xgrad: replicas: a stop was requested");
    }
    /// Nothing arrives from rank k any more: ends the run for this rank.
    [[noreturn]] void fail_of_rank(int k, int deadlines = 1) {
        alone_ = true;
        silent_ = k;
        link_.note_silent(k);
        if (rank() != 0) link_.request_end();   // no rank will tell an owner in this rank that the run is over
        std::string const text = message({"nothing has come from it for ", milliseconds_of(options_.deadline * deadlines), " ms"});
        throw worker_error(silent_, std::make_exception_ptr(timeout_error(text)), text);
    }
    /// Reads the messages that have arrived: stops and signs of life.
    void take_notes() {
        while (next({.timeout = std::chrono::nanoseconds{0}})) {}
    }
    /// Waits for the answer to the last contribution. Throws cancelled_error if rank 0 has sent a stop or has lost this worker; there is no
    /// answer then. Throws worker_error.
    incoming wait_for_answer() {
        while (!stopped_ && !lost_) {
            auto const head = wait(link_.stop());
            if (!head) break;
            if (head->word == rank_word::token && head->sequence == sequence_) return body();
        }
        cancel();
    }

private:
    int silent_ = 0;

public:
    std::uint64_t run() const { return run_; }
    int rank() const { return link_.rank(); }
    int size() const { return link_.size(); }

    /// Agrees with rank 0 and copies its state. Returns true once all ranks are there and match, and false if a stop was requested before,
    /// in any rank. Throws value_error or shape_error if the ranks differ, worker_error if one is missing. `read` reads the additional
    /// contents of rank 0's message.
    template<class Read>
    bool begin(Read const& read) {
        for (;;) {
            auto const head = answer();
            if (!head || head->word == rank_word::stop) {
                if (head) send(rank_word::ended, head->run == 0 ? ending::stopped_before_hello : ending::stopped_after_hello);
                stopped_ = told_ = true;
                return false;
            }
            if (head->word == rank_word::refused) refused(*head);
            if (head->word != rank_word::agreed) continue;
            incoming m = body();
            run_ = m.read<std::uint64_t>();
            begun_ = true;
            read(m);
            if (rank() != 0) state_.read_all(m);
            return true;
        }
    }
    /// Throws cancelled_error if the run must end, or continues without this worker.
    void look() {
        take_notes();
        if (alone_) fail_of_rank(silent_);
        if (stopped_ || lost_ || link_.stop().stop_requested()) cancel();
    }
    /// Ends the work of this rank, with or without an exception, and waits for all others. `join` ends a host in this rank and returns what
    /// has failed there. `read` makes the report from rank 0's last message. Throws worker_error.
    template<class Join, class Read>
    auto end(std::exception_ptr const& thrown, Join const& join, Read const& read) {
        link_.rethrow_if_failed();
        if (alone_) fail_of_rank(silent_);
        bool const failed = thrown != nullptr && !is_of_the_stop(thrown);
        std::string const said = failed ? text_of(thrown) : std::string();
        std::uint64_t const n = said.size();
        if (!begun_) {
            join();
            if (failed) throw worker_error(rank(), thrown, said);
            return read(nullptr);
        }
        if (failed) message_.add_text(n, said);
        std::stop_token stop = link_.stop();
        bool const asked = stop.stop_requested();
        if (asked) stop = link_.end();
        if (!lost_ && !finished_) send(rank_word::ended, failed ? ending::failed : asked ? ending::stop_requested : ending::normal);
        told_ = true;
        while (!lost_ && !finished_) {
            if (wait(stop)) continue;
            link_.rethrow_if_failed();
            send(rank_word::ended, ending::stop_requested);   // the others still work
            stop = link_.end();
        }
        if (lost_) link_.note_silent(rank());
        if (lost_)
            throw worker_error(rank(), std::make_exception_ptr(timeout_error(text_of_loss())), "it was left behind: " + text_of_loss());
        incoming m(ending_, *finished_);
        m.read<rank_header>();
        int const worker = static_cast<int>(m.read<std::int64_t>());
        std::string const text = m.text();
        auto const report = read(&m);
        for (std::size_t k = 0; k < report.workers.size(); ++k)
            if (report.workers[k].lost) link_.note_silent(static_cast<int>(k));
        if (rank() != 0) link_.request_end();   // ends an owner in this rank
        std::exception_ptr const failed_here = join();
        link_.rethrow_if_failed();
        if (rank() != 0) state_.read_all(m);
        if (worker < 0) return report;
        std::exception_ptr cause = worker == rank() && failed ? thrown : failed_here;
        if (cause == nullptr) cause = std::make_exception_ptr(error(text));
        throw worker_error(worker, cause, text);
    }
    /// Calls `f`, a whole run. If the transport throws in any thread of this rank, throws worker_error of this rank. The same holds for
    /// exceptions before work_in_rank(), unless they report another rank's failure.
    template<class F>
    auto guarded(F const& f) {
        try {
            return f();
        } catch (...) {
            std::exception_ptr what = link_.failed();
            if (what == nullptr && (told_ || alone_)) throw;
            if (what == nullptr) what = std::current_exception();
            std::string const why = text_of(what);
            say_failed(why);
            throw worker_error(rank(), what, why);
        }
    }
};

/// Calls `work` with the worker of this rank, then ends the run together with all others. `host` is the host if it is in this rank, running
/// in the thread `serving`.
template<class Worker, class Session, class Host, class Work>
auto work_in_rank(Session& session, serving_thread& serving, std::optional<Host> const& host, Work& work) {
    std::exception_ptr thrown;
    try {
        Worker mine(session);
        work(mine);
    } catch (...) { thrown = std::current_exception(); }
    return session.end(thrown, [&] {
        serving.join();
        return host ? host->failed() : nullptr;
    });
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
