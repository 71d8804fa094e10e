// SPDX-License-Identifier: MIT
// A rank other than 0 that moves a share of the variables. It receives the gradients of its share from all workers; rank 0 tells it which
// of them count.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/gradient_layout.hpp>
#include <xgrad/replicas/sync/mean_update.hpp>
#include <xgrad/replicas/ranks/owners_link.hpp>
#include <xgrad/replicas/ranks/rank_link.hpp>
#include <xgrad/replicas/sync/token_values.hpp>

#include <algorithm>
#include <stop_token>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Executes the commands of rank 0. An update has two phases: all owners prepare, which may throw. Only if all have succeeded do they move
/// their shares.
template<class P, class T>
class sync_owner {
    struct lane {
        std::vector<gradient_message> whole;   // complete gradients; the first `count` are valid, in order
        std::size_t count = 0;
        gradient_message arriving;
        std::int64_t last = 0;   // sequence of the last gradient that is complete or no longer wanted

        // Removes one, and keeps its memory at the end of the list.
        void drop(std::size_t k) {
            std::rotate(whole.begin() + static_cast<std::ptrdiff_t>(k), whole.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                whole.begin() + static_cast<std::ptrdiff_t>(count));
            --count;
        }
    };
    trainer<P>& train_;
    rank_link<T>& link_;
    sync_options const& options_;
    update_steps updates_;
    gradient_layout layout_;
    mean_update mean_;
    token_values values_;
    std::vector<state_piece> state_, prepared_;
    std::vector<lane> lanes_;
    std::vector<counted_gradient> set_;   // of the update that is being prepared
    std::vector<gradient_ref> refs_;
    bool asked_ = false;   // the update waits for gradients that have not arrived yet
    std::int64_t command_ = 0;
    outgoing message_;
    message_buffer arriving_;
    std::uint64_t run_;

    lane& at(std::int64_t k) { return lanes_[static_cast<std::size_t>(k)]; }
    void send(int to, int tag, rank_word word, std::int64_t sequence, std::int64_t number = 0) {
        rank_header head;
        head.run = run_;
        head.sequence = sequence;
        head.number = number;
        head.word = word;
        message_.send(link_, to, tag, head);
    }
    std::size_t find(counted_gradient const& g) {
        lane& l = at(g.worker);
        std::size_t k = 0;
        while (k < l.count && l.whole[k].sequence() != g.sequence) ++k;
        return k;
    }
    void prepare() {
        xgrad::flush_denormals const guard(step_driver::state(train_).run.flush);
        for (std::size_t i = 0; i < set_.size(); ++i) {
            int const k = static_cast<int>(set_[i].worker);
            layout_.read(at(k).whole[find(set_[i])], k, refs_);
            mean_.keep(k, options_.sort_and_sum);
            mean_.give(k, [&](int update) { return refs_[static_cast<std::size_t>(update)]; });
        }
        mean_.gather(options_.sort_and_sum, options_.reduction, static_cast<std::int64_t>(set_.size()));
    }
    void prepare_if_all_are_here() {
        for (counted_gradient const& g : set_)
            if (find(g) == at(g.worker).count) return;
        asked_ = false;
        std::string why;
        try {
            prepare();
        } catch (...) { why = text_of(std::current_exception()); }
        if (!why.empty()) mean_.finish();
        std::uint64_t const n = why.size();
        message_.add_text(n, why);
        send(0, owner_reply_tag, rank_word::ready, command_, why.empty() ? 1 : 0);
    }
    void apply() {
        {
            xgrad::flush_denormals const guard(step_driver::state(train_).run.flush);
            mean_.apply();
            values_.moved(mean_);
            mean_.finish();
        }
        step_driver::state(train_).count_step(train_.store(), true);
        for (counted_gradient const& g : set_) at(g.worker).drop(find(g));
    }
    void take_part(int k, received const& r, rank_header const& head) {
        lane& l = at(k);
        if (head.sequence <= l.last || !l.arriving.take(arriving_, r, head) || l.arriving.count() < layout_.parts()) return;
        l.last = l.arriving.sequence();
        if (l.count == l.whole.size()) l.whole.emplace_back();
        std::swap(l.whole[l.count++], l.arriving);
        if (asked_) prepare_if_all_are_here();
    }
    void give_values(token_notice const& n) {
        if (lane& l = at(n.worker); n.counts == 0) {
            if (std::size_t const k = find({n.worker, n.sequence}); k < l.count) l.drop(k);
            l.last = std::max(l.last, n.sequence);   // its messages may not have arrived yet
        }
        values_.add(message_, static_cast<int>(n.worker));
        send(static_cast<int>(n.worker), owner_values_tag, rank_word::values, n.sequence);
    }
    // This owner moves nothing more. Tells all who may wait for it, if the transport still can.
    void give_up(std::string const& why) noexcept {
        for (int k = 0; k < link_.size(); ++k) try {
                std::uint64_t const n = why.size();
                if (k == 0) {
                    message_.add_text(n, why);
                    send(0, owner_reply_tag, rank_word::ended, ending::normal);
                }
                send(k, owner_values_tag, rank_word::ended, ending::normal);
            } catch (...) {}
    }
    // Executes a message; returns false after the last one.
    bool take(received const& r) {
        rank_header head;
        if (r.bytes < sizeof head) return true;
        std::memcpy(&head, arriving_.data(), sizeof head);
        if (head.magic != rank_header{}.magic || head.run != run_) return true;
        if (head.word == rank_word::gradient) {
            take_part(r.from, r, head);
            return true;
        }
        if (head.sequence <= command_) return true;
        command_ = head.sequence;
        incoming body(arriving_, r);
        body.read<rank_header>();
        if (head.word == rank_word::prepare) {
            set_.resize(static_cast<std::size_t>(head.number));
            body.read(set_.data(), set_.size() * sizeof(counted_gradient));
            for (state_piece const& p : prepared_) body.read(p.data, p.bytes);
            asked_ = true;
            prepare_if_all_are_here();
        } else if (head.word == rank_word::apply) apply();
        else if (head.word == rank_word::values) give_values(body.read<token_notice>());
        else if (head.word == rank_word::collect) {
            for (state_piece const& p : state_) message_.add(p.data, p.bytes);
            send(0, owner_reply_tag, rank_word::ready, command_, 1);
        } else if (head.word == rank_word::install) {
            for (state_piece const& p : state_) body.read(p.data, p.bytes);
            values_.forget();
        }
        return head.word != rank_word::finished;
    }

public:
    /// Owns the updates `first` .. `end` - 1. All arguments must outlive it.
    sync_owner(trainer<P>& train, rank_link<T>& link, sync_options const& options, int first, int end, std::uint64_t run)
        : train_(train), link_(link), options_(options), updates_(step_driver::state(train).run, train.store(), first, end),
          mean_(step_driver::state(train).run, train.store(), first, end), values_(train, train.store(), first, end, false),
          state_(state_of_share(train, first, end)), prepared_(prepared_values(train)), lanes_(static_cast<std::size_t>(link.size())),
          run_(run) {
        updates_.follow();
        layout_.follow(train, updates_, first, options.message_bytes);
        mean_.begin(step_driver::by_rule(train_));
        mean_.resize(lanes_.size());
        values_.make_room(link.size());
    }
    sync_owner(sync_owner const&) = delete;

    /// Executes commands until rank 0 ends the run, the run of this rank has ended, or nothing has arrived for four deadlines.
    void serve() noexcept {
        auto const patience = has_deadline(options_.deadline) ? 4 * options_.deadline : options_.deadline;
        try {
            send(0, to_coordinator_tag, rank_word::serves, 0);
            for (;;) {
                auto const r = link_.try_receive(any_rank, to_owner_tag, arriving_, {.timeout = patience, .stop = link_.end()});
                if (!r || !take(*r)) break;
            }
        } catch (...) { link_.fail(std::current_exception()); }
        if (auto const what = link_.failed(); what != nullptr) give_up(text_of(what));
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
