// SPDX-License-Identifier: MIT
// Rank 0 of synchronous replicas over a transport: it receives gradients, makes updates, and sends tokens with the new values.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/gradient_layout.hpp>
#include <xgrad/replicas/sync/mean_update.hpp>
#include <xgrad/replicas/ranks/owners_link.hpp>
#include <xgrad/replicas/ranks/rank_host.hpp>
#include <xgrad/replicas/sync/sync_protocol.hpp>
#include <xgrad/replicas/sync/token_values.hpp>
#include <xgrad/replicas/update_call.hpp>

#include <algorithm>
#include <deque>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Handles the workers' gradients in rank 0. A gradient counts, for all variables or for none, once the last of its messages has arrived.
template<class P, class T>
class sync_coordinator : public rank_host<T, sync_coordinator<P, T>> {
    using base = rank_host<T, sync_coordinator>;
    friend base;
    using clock = std::chrono::steady_clock;
    struct lane {
        gradient_message arriving;   // the next gradient
        gradient_message gradient;   // the last gradient that counts
        std::vector<gradient_ref> refs;
        bool counts = false;   // whether its last gradient counts
        bool serves = true;    // whether it serves its share of the variables; true if it has none
    };

    trainer<P>& train_;
    sync_options const& options_;
    update_steps updates_;
    gradient_layout layout_;
    mean_update mean_;
    sync_protocol protocol_;
    token_values values_;
    std::deque<lane> lanes_;
    std::vector<int> waiting_;           // for tokens, in order of arrival
    owners_link<rank_link<T>> owners_;   // other owners than this rank
    float const loss_scale_ = step_driver::loss_scale(train_);
    sync_report report_;
    clock::time_point const begin_ = clock::now();

    lane& at(int k) { return lanes_[static_cast<std::size_t>(k)]; }
    worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }
    static double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }
    bool flushes() { return step_driver::state(train_).run.flush; }
    auto keeps_alive() {
        return [this] { this->keep_alive(); };
    }

    // Whether all owners serve their shares. No command can be executed before.
    bool all_serve() const {
        return std::all_of(lanes_.begin(), lanes_.end(), [](lane const& l) { return l.serves; });
    }
    // Gives tokens to waiting workers, in order of arrival.
    void hand_out() {
        std::size_t served = 0;
        while (served < waiting_.size() && !this->stopping() && protocol_.begin(waiting_[served])) {
            int const k = waiting_[served++];
            token_notice const notice{k, this->sequence(k), at(k).counts};
            owners_.tell(rank_word::values, 0, &notice, sizeof notice);
            values_.add(this->message_, k);
            report(k).waited += this->answer(k);
        }
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(served));
    }
    // Makes an update. Everything that may throw comes first: functions among the hyper-parameters, sums of rows, allocations.
    void update() {
        auto const start = clock::now();
        step_driver::begin(train_, loss_scale_);
        {
            xgrad::flush_denormals const guard(flushes());
            protocol_.make_room();
            mean_.gather(options_.sort_and_sum, options_.reduction, protocol_.fresh());
            owners_.prepare(keeps_alive());
            owners_.apply();
            mean_.apply();
            values_.moved(mean_);
            mean_.finish();
        }
        step_driver::state(train_).count_step(train_.store(), true);
        protocol_.update();
        ++report_.updates;
        report(0).updated += seconds_since(start);
        hand_out();
        if (!options_.on_update) return;
        owners_.collect(keeps_alive());
        call_on_update(
            options_.on_update, train_, protocol_.global_step(), options_.on_update_changes ? store_access::change : store_access::read);
        if (!options_.on_update_changes) return;
        values_.forget();
        owners_.install();
    }
    void go_on() {
        if (!all_serve()) return;
        while (protocol_.can_update() && !this->stopping()) update();
        hand_out();
    }

    // Called by rank_host.
    void begin() {}
    void add_welcome(int, outgoing&) {}
    void take_given(int k, received const& r, rank_header const& head) {
        lane& m = at(k);
        if (!m.arriving.take(this->arriving_, r, head) || m.arriving.count() < layout_.parts() || !this->accept(k, head)) return;
        layout_.read(m.arriving, k, m.refs);
        mean_.keep(k, options_.sort_and_sum);   // copies what is in the memory that is swapped below
        waiting_.reserve(lanes_.size());
        bool const fresh = protocol_.push(k);
        ++report(k).steps;
        ++(fresh ? report(k).accepted : report(k).dropped);
        m.counts = fresh;
        if (fresh) {
            owners_.count({k, head.sequence});
            std::swap(m.gradient, m.arriving);   // the gradients keep their addresses
            mean_.give(k, [&](int update) { return m.refs[static_cast<std::size_t>(update)]; });
        }
        waiting_.push_back(k);
        go_on();
    }
    void take_serves(int k) {
        at(k).serves = true;
        go_on();
    }
    bool must_serve(int k) { return !at(k).serves; }
    void leave(int k, rank_header const* head) {
        report(k).lost = head == nullptr;
        if (report(k).lost && must_serve(k)) owners_.lose(k);   // also if its worker has ended before
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), k), waiting_.end());
        protocol_.end(k);
        go_on();
    }
    void finish() {
        train_.store().steps = std::max(train_.store().steps, this->drawn());
        report_.left = protocol_.fresh();
        report_.seconds = seconds_since(begin_);
        owners_.collect(keeps_alive());
    }
    void tell_end() { owners_.tell(rank_word::finished); }
    void add_report(outgoing& message) const {
        message.add(report_.updates);
        message.add(report_.left);
        message.add(report_.seconds);
        message.add(report_.workers.data(), report_.workers.size() * sizeof(worker_report));
    }
    int culprit(int k) const { return owners_.lost() >= 0 ? owners_.lost() : k; }

public:
    /// Begins with the current variables. Of these it moves the share from shares[0] to before shares[1]. Trainer, link and options must
    /// outlive it. Throws value_error if the first update could never happen.
    sync_coordinator(trainer<P>& train, rank_link<T>& link, sync_options const& options, std::vector<int> const& shares)
        : base(train, link, {options.deadline, options.min_workers, options.stop}, describe(train, options, describe_sync)), train_(train),
          options_(options), updates_(step_driver::state(train).run, train.store(), shares[0], shares[1]),
          mean_(step_driver::state(train).run, train.store(), shares[0], shares[1]),
          protocol_({link.size(), options.replicas_to_aggregate, options.initial_tokens}, train.global_step()),
          values_(train, train.store(), shares[0], shares[1], true), lanes_(static_cast<std::size_t>(link.size())),
          owners_(link, this->run_, options.deadline) {
        updates_.follow();
        layout_.follow(train, updates_, shares[0], options.message_bytes);
        mean_.begin(step_driver::by_rule(train_));
        mean_.resize(lanes_.size());
        values_.make_room(link.size());
        report_.workers.resize(lanes_.size());
        waiting_.reserve(lanes_.size());
        for (int k = 1; k < options.owners; ++k) at(k).serves = false;
        owners_.follow(train, shares);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
