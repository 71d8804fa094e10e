// SPDX-License-Identifier: MIT
// The commands that rank 0 sends to other ranks that own a share of the variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/replica_state.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Divides the updates of a plan, in order, into shares of about the same number of bytes of variables. Returns where each share begins,
/// and the end.
template<class P>
std::vector<int> shares_of_updates(trainer<P>& train, int owners) {
    runtime_plan const& plan = step_driver::state(train).run.plan();
    int const first = step_parts<P>::second();
    auto const bytes = [&](int i) {
        return static_cast<double>(piece_of(*train.store().find(plan.variables[plan.steps[i].variable].hash)).bytes);
    };
    double all = 0, before = 0;
    for (int i = first; i < plan.step_count; ++i) all += bytes(i);
    std::vector<int> begins{first};
    for (int i = first; i < plan.step_count; ++i) {
        while (static_cast<int>(begins.size()) < owners && before + bytes(i) / 2 > all * static_cast<double>(begins.size()) / owners)
            begins.push_back(i);
        before += bytes(i);
    }
    begins.resize(static_cast<std::size_t>(owners), plan.step_count);
    begins.push_back(plan.step_count);
    return begins;
}
/// A gradient that counts.
struct counted_gradient {
    std::int64_t worker, sequence;
};
/// Tells owners that a worker has a token, and whether its last gradient counts.
struct token_notice {
    std::int64_t worker, sequence, counts;
};

/// Sends numbered commands, which each owner rank executes in order. An owner rank moves a share of the variables. If rank 0 is the only
/// one, nothing is sent. T is the rank_link of rank 0.
template<class T>
class owners_link {
    T& transport_;
    std::uint64_t run_;
    std::chrono::nanoseconds deadline_;
    std::vector<std::vector<state_piece>> shares_;
    std::vector<state_piece> prepared_;   // of rank 0
    std::vector<counted_gradient> set_;   // gradients of the next update; those of each worker are in order
    std::int64_t command_ = 0;
    bool here_ = true;   // the trainer of rank 0 has the current values of all shares
    int lost_ = -1;
    outgoing message_;
    message_buffer reply_;

    // Waits for owner o's reply to the last command. `while_waiting` is called several times within a deadline.
    template<class F>
    incoming reply_of(int o, rank_header& head, F const& while_waiting) {
        auto const deadline = deadline_of(deadline_);
        for (;;) {
            auto const r =
                transport_.try_receive(o, owner_reply_tag, reply_, {.timeout = patience_of(deadline_), .stop = transport_.end()});
            transport_.rethrow_if_failed();
            while_waiting();
            if (!r) {
                if (std::chrono::steady_clock::now() < deadline) continue;
                lose(o);
            }
            incoming m(reply_, *r);
            if (m.left() < sizeof head) continue;
            head = m.read<rank_header>();
            if (head.run != run_) continue;
            if (head.word == rank_word::ended) {
                lost_ = o;
                raise<error>(m.text());
            }
            if (head.sequence == command_) return m;
        }
    }
    int count_of_owners() const { return static_cast<int>(shares_.size()); }
    void add(std::vector<state_piece> const& pieces) {
        for (state_piece const& p : pieces) message_.add(p.data, p.bytes);
    }
    // Sends a command to all other owners. `add_to(o)` adds the contents for owner o.
    template<class Add>
    void tell_each(rank_word word, std::int64_t number, Add const& add_to) {
        rank_header head;
        head.run = run_;
        head.sequence = ++command_;
        head.number = number;
        head.word = word;
        for (int o = 1; o <= count_of_owners(); ++o) {
            add_to(o);
            message_.send(transport_, o, to_owner_tag, head);
        }
    }

public:
    owners_link(T& transport, std::uint64_t run, std::chrono::nanoseconds deadline)
        : transport_(transport), run_(run), deadline_(deadline) {}

    template<class P>
    void follow(trainer<P>& train, std::vector<int> const& shares) {
        for (std::size_t o = 1; o + 1 < shares.size(); ++o) shares_.push_back(state_of_share(train, shares[o], shares[o + 1]));
        prepared_ = prepared_values(train);
    }
    /// The owner that is lost or has failed, or -1.
    int lost() const { return lost_; }
    [[noreturn]] void lose(int o) {
        lost_ = o;
        transport_.note_silent(o);
        raise_parts<timeout_error>(
            {"its share of the variables is lost: nothing has come from it for ", milliseconds_of(deadline_), " ms"});
    }
    void tell(rank_word word, std::int64_t number = 0, void const* body = nullptr, std::size_t bytes = 0,
        std::vector<state_piece> const& more = {}) {
        tell_each(word, number, [&](int) {
            message_.add(body, bytes);
            add(more);
        });
    }
    /// Adds a gradient to the next update.
    void count(counted_gradient const& g) {
        if (count_of_owners() > 0) set_.push_back(g);
    }
    /// Asks all owners to prepare the update, with the scalars of the rules from rank 0. Returns if all of them can make it. Otherwise none
    /// makes it: throws the error that an owner reports, or timeout_error if one does not reply.
    template<class F>
    void prepare(F const& while_waiting) {
        if (count_of_owners() == 0) return;
        tell(rank_word::prepare, static_cast<std::int64_t>(set_.size()), set_.data(), set_.size() * sizeof(counted_gradient), prepared_);
        for (int o = 1; o <= count_of_owners(); ++o) {
            rank_header head;
            incoming m = reply_of(o, head, while_waiting);
            if (head.number == 0) raise<error>(m.text());
        }
    }
    /// Makes the update that all owners have prepared.
    void apply() {
        tell(rank_word::apply);
        set_.clear();
        here_ = false;
    }
    /// Copies the current shares of the other owners into the trainer of this rank. Throws timeout_error.
    template<class F>
    void collect(F const& while_waiting) {
        if (here_ || lost_ >= 0) return;
        tell(rank_word::collect);
        for (int o = 1; o <= count_of_owners(); ++o) {
            rank_header head;
            incoming m = reply_of(o, head, while_waiting);
            for (state_piece const& p : shares_[static_cast<std::size_t>(o - 1)]) m.read(p.data, p.bytes);
        }
        here_ = true;
    }
    /// Sends the shares to their owners after they were changed here.
    void install() {
        tell_each(rank_word::install, 0, [&](int o) { add(shares_[static_cast<std::size_t>(o - 1)]); });
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
