// SPDX-License-Identifier: MIT
// A worker's half of a run over ranks: what one rank says to rank 0, and to other owners of variables.
#pragma once

#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/sync_coordinator.hpp>

#include <optional>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Rank 0 is also its own coordinator.
template<class P, class T>
class rank_session {
    trainer<P>& train_;
    T& transport_;
    sync_options const& options_;
    gradient_worker<P> model_;
    std::vector<int> shares_;   // of the owners
    std::vector<gradient_layout> layouts_;
    std::vector<std::vector<state_piece>> moved_;
    replica_state state_;
    outgoing message_;
    message_buffer arriving_;
    received last_{};
    std::uint64_t run_;
    std::int64_t sequence_ = 0;
    std::int64_t draw_ = 0;
    bool begun_ = false, stopped_ = false, lost_ = false, alone_ = false;   // a stop was asked for, it has been left behind, nothing comes
    int silent_ = 0;                                                        // from this rank, which moves variables

    // An owner moves the variables of its trainer while the worker computes.
    bool owns() const { return rank() < options_.owners; }
    static gradient_worker<P> model_of(trainer<P>& train, bool own) {
        bool const flush = trainer_access::state(train).run.flush;
        if (!own) return gradient_worker<P>(static_cast<variable_owner&>(train), flush);
        gradient_worker<P> model(train.store(), flush);
        model.pull(train.store());
        return model;
    }
    bool has_deadline() const { return detail::has_deadline(options_.deadline); }
    void send(rank_word word, std::int64_t number = 0, int to = 0, int tag = to_coordinator_tag) {
        rank_header head;
        head.run = run_;
        head.sequence = sequence_;
        head.number = number;
        head.draw = draw_;
        head.word = word;
        message_.send(transport_, to, tag, head);
        message_.begin();
    }
    // The next message of this run; none where nothing comes in time, or when a stop is requested.
    std::optional<rank_header> next(wait_options const& options) {
        for (;;) {
            auto const r = transport_.try_receive(0, to_worker_tag, arriving_, options);
            if (!r) return {};
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, arriving_.data(), sizeof head);
            if (head.magic != rank_header{}.magic || (head.run != run_ && (begun_ || head.run != 0))) continue;
            stopped_ = stopped_ || head.word == rank_word::stop;
            lost_ = lost_ || head.word == rank_word::lost;
            last_ = *r;
            return head;
        }
    }
    // The next one that says something; none when a stop is requested. Rank 0 says that it is alive four times within a deadline.
    std::optional<rank_header> wait(std::stop_token const& stop) {
        for (;;) {
            auto const head = next({.timeout = options_.deadline, .stop = stop});
            if (!head && stop.stop_requested()) return {};
            if (!head) {
                alone_ = true;
                fail_of_owner();
            }
            if (head->word != rank_word::alive) return head;
        }
    }
    // What rank 0 says to hello, which is said again because a coordinator of an earlier run may have heard it. None when a stop was requested here, and no answer
    // has come for a while: rank 0 may have agreed before it hears of the stop.
    std::optional<rank_header> answer() {
        std::string const text = describe(train_, options_);
        std::uint64_t const n = text.size();
        std::stop_token stop = options_.stop;
        bool leaves = false;
        auto const patience = [&] { return deadline_of(has_deadline() ? 2 * options_.deadline : options_.deadline); };
        auto deadline = patience();
        for (;;) {
            if (!leaves) {
                message_.add_text(n, text);
                send(rank_word::hello);
            }
            auto const again = deadline_of(std::min(options_.deadline / 4, time_to_answer));
            auto const until = std::min(leaves ? deadline : again, deadline);
            std::optional<rank_header> head;
            do {
                head = next({.timeout = until == no_deadline ? options_.deadline : until - std::chrono::steady_clock::now(), .stop = stop});
                if (head && head->word != rank_word::alive) return head;
                if (head && !leaves) deadline = patience();
            } while (head);
            if (stop.stop_requested()) {
                stop = {};
                leaves = true;
                deadline = deadline_of(std::min(options_.deadline, time_to_answer));
                send(rank_word::ended, 2);
            } else if (std::chrono::steady_clock::now() >= deadline) {
                if (leaves) return {};
                alone_ = true;
                fail_of_owner(2);
            }
        }
    }
    [[noreturn]] void fail_of_owner(int deadlines = 1) const {
        auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline * deadlines).count();
        std::string const text = message({"nothing has come from it for ", ms, " ms"});
        throw worker_error(silent_, std::make_exception_ptr(timeout_error(text)), text);
    }
    [[noreturn]] void cancel() const {
        if (lost_) raise_parts<cancelled_error>({"xgrad: worker ", transport_.rank(), " was left behind: ", text_of_loss()});
        raise<cancelled_error>("xgrad: replicas: a stop was requested");
    }
    std::string text_of_loss() const {
        return message(
            {"it had given no sign for ", std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline).count(), " ms"});
    }
    void wait_for_values(int o) {
        for (;;) {
            auto const r = transport_.try_receive(o, owner_values_tag, arriving_, {.timeout = options_.deadline});
            if (!r) {
                alone_ = true;
                silent_ = o;
                fail_of_owner();
            }
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, arriving_.data(), sizeof head);
            last_ = *r;
            if (head.run == run_ && head.sequence == sequence_) return;
        }
    }
    void take_values(int o) {
        incoming m = body();
        for (state_piece const& p : moved_[static_cast<std::size_t>(o)]) m.read(p.data, p.bytes);
    }
    incoming body() const {
        incoming m(arriving_, last_);
        m.read<rank_header>();
        return m;
    }

public:
    rank_session(trainer<P>& train, T& transport, sync_options const& options)
        : train_(train), transport_(transport), options_(options), model_(model_of(train, transport.rank() < options.owners)),
          shares_(shares_of_updates(train, options.owners)), layouts_(static_cast<std::size_t>(options.owners)), state_(train),
          run_(fresh_number(transport.rank())), draw_(train.store().steps) {
        for (std::size_t o = 0; o < layouts_.size(); ++o) {
            update_steps updates(trainer_access::state(train).run, train.store(), shares_[o], shares_[o + 1]);
            updates.follow();
            layouts_[o].follow(updates);
            moved_.push_back(moved_variables(train, model_.store(), shares_[o], shares_[o + 1]));
        }
    }
    rank_session(rank_session const&) = delete;

    std::uint64_t run() const { return run_; }
    std::vector<int> const& shares() const { return shares_; }
    bool alone() const { return alone_; }
    int rank() const { return transport_.rank(); }
    int size() const { return transport_.size(); }

    /// All ranks are there and fit together; this one has the state of rank 0. False where a stop was requested before, in any rank. Throws value_error, shape_error where they differ, worker_error where one is missing.
    bool begin() {
        for (;;) {
            auto const head = answer();
            if (!head || head->word == rank_word::stop) {
                if (head) send(rank_word::ended, head->run == 0 ? 3 : 4);
                stopped_ = true;
                return false;
            }
            incoming m = body();
            if (head->word == rank_word::refused) {
                auto const worker = static_cast<int>(m.read<std::int64_t>());
                std::string const why = m.text();
                switch (static_cast<refusal>(head->number)) {
                case refusal::shape: raise<shape_error>(why);
                case refusal::value: raise<value_error>(why);
                case refusal::missing: break;
                }
                throw worker_error(worker, std::make_exception_ptr(timeout_error(why)), why);
            }
            if (head->word != rank_word::agreed) continue;
            run_ = m.read<std::uint64_t>();
            begun_ = true;
            if (rank() == 0) return true;
            state_.read_all(m);
            if (owns()) model_.pull(train_.store());
            draw_ = train_.store().steps;
            return true;
        }
    }
    /// Throws cancelled_error where the run is to end, or goes on without this worker.
    void look() {
        while (next({.timeout = std::chrono::nanoseconds{0}})) {}
        if (alone_) fail_of_owner();
        if (stopped_ || lost_ || options_.stop.stop_requested()) cancel();
    }
    template<class... B>
    auto compute(B const&... bindings) {
        return model_.compute_gradients(draw_++, rank(), bindings...);
    }
    /// Gives the gradients, waits for a token and takes the variables.
    void give_and_wait() {
        ++sequence_;
        for (int o = options_.owners; o-- > 0;) {   // rank 0 comes last: what it has, all have been sent
            int const first = shares_[static_cast<std::size_t>(o)] - step_parts<P>::second();
            layouts_[static_cast<std::size_t>(o)].add(message_, [&](int update) { return model_.gradient(first + update); });
            send(rank_word::gradient, 0, o, o == 0 ? to_coordinator_tag : to_owner_tag);
        }
        for (;;) {
            auto const head = wait(options_.stop);
            if (!head || stopped_ || lost_) cancel();
            if (head->word == rank_word::token && head->sequence == sequence_) break;
        }
        take_values(0);
        for (int o = 1; o < options_.owners; ++o) {
            wait_for_values(o);
            take_values(o);
        }
    }
    /// The work of this rank has ended, with an exception or without. Waits for all others; `join` ends a coordinator in this rank, and gives what has failed there.
    /// Throws worker_error.
    template<class Join>
    sync_report end(std::exception_ptr const& thrown, Join const& join) {
        if (alone_) fail_of_owner();
        bool const failed = thrown != nullptr && !is_of_the_stop(thrown);
        std::string const said = failed ? text_of(thrown) : std::string();
        std::uint64_t const n = said.size();
        if (!begun_) {
            join();
            if (failed) throw worker_error(rank(), thrown, said);
            sync_report none;
            none.workers.resize(static_cast<std::size_t>(size()));
            return none;
        }
        if (failed) message_.add_text(n, said);
        std::stop_token stop = options_.stop;
        bool const asked = stop.stop_requested();
        if (asked) stop = {};
        if (!lost_) send(rank_word::ended, failed ? 1 : asked ? 2 : 0);
        while (!lost_) {
            auto const head = wait(stop);
            if (head && head->word == rank_word::finished) break;
            if (head) continue;
            send(rank_word::ended, 2);   // the others still work
            stop = {};
        }
        if (lost_)
            throw worker_error(rank(), std::make_exception_ptr(timeout_error(text_of_loss())), "it was left behind: " + text_of_loss());
        incoming m = body();
        sync_report report;
        int const worker = static_cast<int>(m.read<std::int64_t>());
        report.updates = m.read<std::int64_t>();
        report.left = m.read<std::int64_t>();
        report.seconds = m.read<double>();
        report.workers.resize(static_cast<std::size_t>(size()));
        m.read(report.workers.data(), report.workers.size() * sizeof(worker_report));
        std::string const text = m.text();
        std::exception_ptr const failed_here = join();
        if (rank() != 0) state_.read_all(m);
        if (worker < 0) return report;
        std::exception_ptr cause = worker == rank() && failed ? thrown : failed_here;
        if (cause == nullptr) cause = std::make_exception_ptr(error(text));
        throw worker_error(worker, cause, text);
    }

private:
    bool is_of_the_stop(std::exception_ptr const& thrown) const {
        try {
            std::rethrow_exception(thrown);
        } catch (cancelled_error const&) { return stopped_ || lost_ || options_.stop.stop_requested(); } catch (...) {
            return false;
        }
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
