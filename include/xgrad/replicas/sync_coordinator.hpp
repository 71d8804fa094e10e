// SPDX-License-Identifier: MIT
// Rank 0 of synchronous replicas over a transport: it takes gradients, makes updates, and gives out tokens with the new values.
#pragma once

#include <xgrad/replicas/gradient_layout.hpp>
#include <xgrad/replicas/mean_update.hpp>
#include <xgrad/replicas/replica_state.hpp>
#include <xgrad/replicas/owners_link.hpp>
#include <xgrad/replicas/sync_protocol.hpp>
#include <xgrad/replicas/worker_crew.hpp>

#include <algorithm>
#include <deque>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What an exception says.
inline std::string text_of(std::exception_ptr const& what) {
    try {
        std::rethrow_exception(what);
    } catch (std::exception const& e) { return e.what(); } catch (...) {
        return "an exception of a type that xgrad does not know";
    }
}
/// Which exception a refusal becomes on all ranks.
enum class refusal : std::int64_t { value, shape, missing };

/// Runs in a thread of its own, beside the worker of rank 0, which it knows as it knows all others: by messages. What a worker gives is one message, so it
/// counts for all variables or for none. A message that comes twice, or is of another run, changes nothing.
template<class P, class T>
class sync_coordinator {
    using clock = std::chrono::steady_clock;
    struct member {
        bool here = false;     // has said hello
        bool leaves = false;   // before all are here, because a stop was requested there
        bool ended = false;    // its work; then it waits for the others
        bool lost = false;
        std::uint64_t hello = 0;   // the number of its own to which the answer belongs
        std::string description;
        std::int64_t sequence = 0;   // of its last gradient
        clock::time_point since;     // its last sign, or its token
        clock::time_point told;      // when it was sent something
        message_buffer gradient;     // the last one that counts
        std::vector<gradient_ref> refs;
        bool counts = false;   // its last gradient

        bool gone() const { return ended || lost; }
    };

    trainer<P>& train_;
    T& transport_;
    sync_options const& options_;
    update_steps updates_;
    gradient_layout layout_;
    mean_update mean_;
    sync_protocol protocol_;
    replica_state state_;
    std::vector<state_piece> moved_;
    std::deque<member> members_;
    std::vector<int> waiting_;   // for tokens, first come first
    std::uint64_t run_;
    owners_link<T> owners_;   // other than this rank
    sync_report report_;
    outgoing message_;
    message_buffer arriving_;
    std::string description_;
    std::int64_t drawn_ = 0;
    clock::time_point const begin_ = clock::now();
    bool stopping_ = false, agreed_ = false;
    int failed_worker_ = -1;
    std::string failed_text_;
    std::exception_ptr failed_;   // where it was thrown here

    member& at(int k) { return members_[static_cast<std::size_t>(k)]; }
    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }
    bool all_here() const {
        return std::all_of(members_.begin(), members_.end(), [](member const& m) { return m.here; });
    }
    bool has_deadline() const { return detail::has_deadline(options_.deadline); }
    static double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }
    std::int64_t milliseconds() const { return std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline).count(); }
    bool flushes() { return trainer_access::state(train_).run.flush; }

    // The message in the making to one rank.
    void send(int k, rank_word word, std::int64_t number = 0) {
        rank_header head;
        head.run = agreed_ ? run_ : at(k).hello;
        head.sequence = at(k).sequence;
        head.number = number;
        head.word = word;
        message_.send(transport_, k, to_worker_tag, head);
        message_.begin();
        at(k).told = clock::now();
    }
    void stop() {
        if (stopping_) return;
        stopping_ = true;
        for (int k = 0; k < transport_.size(); ++k)
            if (!at(k).gone()) {
                if (protocol_.phase_of(k) == sync_protocol::phase::waiting) at(k).since = clock::now();   // now it has to do something
                send(k, rank_word::stop);
            }
    }
    // What ends the run: of several the first.
    void fail(int k, std::string text, std::exception_ptr what = nullptr) {
        if (failed_worker_ < 0) {
            failed_worker_ = k;
            failed_text_ = std::move(text);
            failed_ = std::move(what);
        }
        stop();
    }
    void leave(int k) {
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), k), waiting_.end());
        protocol_.end(k);
    }
    void lose(int k) {
        at(k).lost = true;
        report(k).lost = true;
        leave(k);
        send(k, rank_word::lost);
        if (int const left = protocol_.active(); left < options_.min_workers)
            fail(k, message({"it has given no sign for ", milliseconds(), " ms, and ", left, " of at least ", options_.min_workers,
                        " workers are left"}));
        hand_out();
    }
    // Tokens to those who wait, first come first.
    void hand_out() {
        std::size_t served = 0;
        while (served < waiting_.size() && !stopping_ && protocol_.begin(waiting_[served])) {
            int const k = waiting_[served++];
            report(k).waited += seconds_since(at(k).since);
            token_notice const notice{k, at(k).sequence, at(k).counts};
            owners_.tell(rank_word::values, 0, &notice, sizeof notice);
            for (state_piece const& p : moved_) message_.add(p.data, p.bytes);
            send(k, rank_word::token, protocol_.local_step(k));
            at(k).since = clock::now();
        }
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(served));
    }
    // What may throw comes first: all functions among the hyper-parameters, all sums of rows, all memory.
    void update() {
        auto const start = clock::now();
        trainer_access::begin(train_);
        {
            xgrad::flush_denormals const guard(flushes());
            protocol_.make_room();
            mean_.gather(options_.sort_and_sum, options_.reduction, protocol_.fresh());
            owners_.prepare([&] { keep_alive(); });
            owners_.tell(rank_word::apply);
            mean_.apply();
            mean_.finish();
        }
        owners_.updated();
        trainer_access::state(train_).count_step(train_.store(), true);
        protocol_.update();
        ++report_.updates;
        report(0).updated += seconds_since(start);
        hand_out();
        if (!options_.on_update) return;
        owners_.collect([&] { keep_alive(); });
        options_.on_update(protocol_.global_step());
    }
    void take_gradient(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (m.gone() || head.sequence != m.sequence + 1 || protocol_.phase_of(k) != sync_protocol::phase::computing) return;
        m.sequence = head.sequence;
        m.since = clock::now();
        drawn_ = std::max(drawn_, head.draw);
        if (stopping_) return send(k, rank_word::stop);
        incoming body(arriving_, r);
        body.read<rank_header>();
        layout_.read(body, k, m.refs);
        mean_.keep(k, options_.sort_and_sum);   // what lies in the memory that is swapped
        waiting_.reserve(members_.size());
        bool const fresh = protocol_.push(k);
        ++report(k).steps;
        ++(fresh ? report(k).accepted : report(k).dropped);
        m.counts = fresh;
        if (fresh) {
            owners_.count({k, m.sequence});
            m.gradient.swap(arriving_);   // addresses stay
            mean_.give(k, [&](int update) { return m.refs[static_cast<std::size_t>(update)]; });
        }
        waiting_.push_back(k);
        while (protocol_.can_update() && !stopping_) update();
        hand_out();
    }
    void take_end(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (m.ended && head.number == 2) stop();
        if (m.gone()) return;
        m.ended = true;
        drawn_ = std::max(drawn_, head.draw);
        leave(k);
        if (head.number == 1) {
            incoming body(arriving_, r);
            body.read<rank_header>();
            fail(k, body.text());
        } else if (head.number == 2) stop();
        hand_out();
    }
    void take_hello(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (agreed_ && m.gone()) {   // it is early for the next run, of another coordinator, and says hello again until then
            m.hello = head.run;
            return answer_hello(k, rank_word::alive);
        }
        if (m.leaves || (m.here && m.hello == head.run)) return;   // who has left says hello again, to the next coordinator
        incoming body(arriving_, r);
        body.read<rank_header>();
        m.here = true;
        m.hello = head.run;
        m.description = body.text();
        if (!agreed_ && stopping_) send(k, rank_word::stop);
        if (agreed_ && m.sequence == 0 && !m.gone()) welcome(k);
    }
    // One that has left before it was told that all are here.
    void take_leave(int k, received const& r, rank_header const& head) {
        member& m = at(k);
        if (!m.here || m.hello != head.run) return;
        if (agreed_ && !m.gone() && head.number == 2) take_end(k, r, head);
        if (agreed_) return;
        if (head.number == 4 && stopping_) {   // it has been told here, and goes on to the next run
            m.leaves = true;
            return;
        }
        m.leaves = head.number == 2;
        m.here = m.leaves;
    }
    void answer_hello(int k, rank_word word) {
        bool const before = std::exchange(agreed_, false);
        send(k, word);
        agreed_ = before;
    }
    void welcome(int k) {
        message_.add(run_);
        if (k != transport_.rank()) state_.add_all(message_);   // where it is
        answer_hello(k, rank_word::agreed);
        at(k).since = clock::now();
    }
    void take(received const& r) {
        if (r.bytes < sizeof(rank_header)) return;
        rank_header head;
        std::memcpy(&head, arriving_.data(), sizeof head);
        if (head.magic != rank_header{}.magic) return;
        if (head.word == rank_word::hello) return take_hello(r.from, r, head);
        if (head.word == rank_word::ended && head.run != run_) return take_leave(r.from, r, head);
        if (!agreed_ || head.run != run_) return;
        if (head.word == rank_word::gradient) take_gradient(r.from, r, head);
        else if (head.word == rank_word::ended) take_end(r.from, r, head);
    }
    void look_round() {
        if (!has_deadline()) return;
        auto const now = clock::now();
        for (int k = 0; k < transport_.size(); ++k) {
            member& m = at(k);
            bool const its_turn = (stopping_ && !m.ended) || protocol_.phase_of(k) == sync_protocol::phase::computing;
            if (!m.gone() && its_turn && now - m.since > options_.deadline) lose(k);
        }
        keep_alive();
    }
    void keep_alive() {
        for (int k = 0; has_deadline() && k < transport_.size(); ++k)
            if (!at(k).lost && clock::now() - at(k).told > options_.deadline / 4) send(k, rank_word::alive);
    }
    void refuse(refusal why, int worker, std::string const& text) {
        std::int64_t const which = worker;
        std::uint64_t const n = text.size();
        for (int k = 0; k < transport_.size(); ++k) {
            if (!at(k).here) continue;
            message_.add(which);
            message_.add_text(n, text);
            send(k, rank_word::refused, static_cast<std::int64_t>(why));
        }
    }
    bool any_leaves() const {
        return std::any_of(members_.begin(), members_.end(), [](member const& m) { return m.leaves; });
    }
    // Whether rank 0 need not wait any more.
    bool is_settled() const { return all_here() || (!stopping_ && any_leaves()); }
    // The next message before all are here; what has come until then is read in whole, because hellos of earlier runs may be among it, and that they are over.
    bool take_early(clock::time_point deadline) {
        auto const left = deadline == no_deadline ? std::chrono::nanoseconds::max() : std::chrono::nanoseconds(deadline - clock::now());
        auto const most = is_settled() ? std::chrono::nanoseconds{0} : std::min(left, patience_of(options_.deadline));
        wait_options wait{.timeout = most};
        if (!stopping_) wait.stop = options_.stop;
        auto const r = transport_.try_receive(any_rank, to_coordinator_tag, arriving_, wait);
        if (r) take(*r);
        stopping_ = stopping_ || options_.stop.stop_requested();
        return r.has_value() || (!is_settled() && clock::now() < deadline);
    }
    // A stop has come before all were here. Each rank is told once: those that are not here find it when they begin.
    void turn_away() {
        stopping_ = true;
        for (int k = 0; k < transport_.size(); ++k)
            if (at(k).here) send(k, rank_word::stop);
        auto const deadline = deadline_of(std::min(options_.deadline, time_to_answer));
        while (take_early(deadline)) {}
        for (int k = 0; k < transport_.size(); ++k)
            if (!at(k).here) {
                at(k).hello = 0;
                send(k, rank_word::stop);
            }
    }
    // Whether all ranks are here, with one program, and no stop was requested before.
    bool gather() {
        auto const deadline = deadline_of(options_.deadline);
        while (take_early(deadline) && !stopping_) {}
        if (stopping_ || any_leaves()) {
            turn_away();
            return false;
        }
        if (!all_here()) {
            int missing = 0;
            while (at(missing).here) ++missing;
            refuse(refusal::missing, missing, message({"it has not begun for ", milliseconds(), " ms"}));
            return false;
        }
        for (int k = 0; k < transport_.size(); ++k) {
            std::string_view mine = description_, theirs = at(k).description;
            if (!first_difference(mine, theirs)) continue;
            refuse(is_of_shapes(mine, theirs) ? refusal::shape : refusal::value, k,
                message({"xgrad: replicas: the ranks differ: rank 0 has ", mine, ", rank ", k, " has ", theirs}));
            return false;
        }
        return true;
    }
    void finish() {
        try {
            owners_.collect([&] { keep_alive(); });
        } catch (std::exception const& e) { fail(owners_.lost(), e.what(), std::current_exception()); }
        owners_.tell(rank_word::finished);
        train_.store().steps = std::max(train_.store().steps, drawn_);
        report_.left = protocol_.fresh();
        report_.seconds = seconds_since(begin_);
        std::uint64_t const n = failed_text_.size();
        std::int64_t const numbers[] = {failed_worker_, report_.updates, report_.left};
        for (int k = 0; k < transport_.size(); ++k) {
            if (at(k).lost) continue;
            message_.add(numbers);
            message_.add(report_.seconds);
            message_.add(report_.workers.data(), report_.workers.size() * sizeof(worker_report));
            message_.add_text(n, failed_text_);
            if (k != transport_.rank()) state_.add_all(message_);
            send(k, rank_word::finished, 0);
        }
    }

public:
    /// With the variables as they are, of which it moves those of `shares`, from the first place to the second one. Trainer, transport and options outlive it. Throws value_error where the first update could never be reached.
    sync_coordinator(trainer<P>& train, T& transport, sync_options const& options, std::vector<int> const& shares)
        : train_(train), transport_(transport), options_(options),
          updates_(trainer_access::state(train).run, train.store(), shares[0], shares[1]),
          mean_(trainer_access::state(train).run, train.store(), shares[0], shares[1]),
          protocol_({transport.size(), options.replicas_to_aggregate, options.initial_tokens}, train.global_step()), state_(train),
          moved_(moved_variables(train, train.store(), shares[0], shares[1])), members_(static_cast<std::size_t>(transport.size())),
          run_(fresh_number(transport.rank())), owners_(transport, run_, options.deadline), description_(describe(train, options)),
          drawn_(train.store().steps) {
        updates_.follow();
        layout_.follow(updates_);
        mean_.begin(trainer_access::by_rule(train_));
        mean_.resize(members_.size());
        report_.workers.resize(members_.size());
        waiting_.reserve(members_.size());
        owners_.follow(train, shares);
    }
    sync_coordinator(sync_coordinator const&) = delete;

    /// From the hello of all ranks until all have ended or are lost. Where the transport itself fails nobody can be told, and the program ends.
    void serve() noexcept {
        if (!gather()) return;
        for (int k = 0; k < transport_.size(); ++k) welcome(k);
        agreed_ = true;
        while (std::any_of(members_.begin(), members_.end(), [](member const& m) { return !m.gone(); })) {
            int worker = 0;
            try {
                wait_options wait{.timeout = patience_of(options_.deadline)};
                if (!stopping_) wait.stop = options_.stop;
                auto const r = transport_.try_receive(any_rank, to_coordinator_tag, arriving_, wait);
                if (r) {
                    worker = r->from;
                    take(*r);
                } else if (options_.stop.stop_requested()) stop();
                worker = 0;
                look_round();
            } catch (...) {
                auto const what = std::current_exception();
                fail(owners_.lost() >= 0 ? owners_.lost() : worker, text_of(what), what);
            }
        }
        finish();
    }
    /// What was thrown here and has ended the run, or null.
    std::exception_ptr const& failed() const { return failed_; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
