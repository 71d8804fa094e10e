// SPDX-License-Identifier: MIT
// A worker of synchronous replicas over ranks. It sends gradients to rank 0 and to the other owners of variables.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/compression/gradient_layout.hpp>
#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/ranks/owners_link.hpp>
#include <xgrad/replicas/ranks/rank_guest.hpp>
#include <xgrad/replicas/sync/token_values.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, class T>
class rank_session : public rank_guest<T> {
    trainer<P>& train_;
    sync_options const& options_;
    gradient_worker<P> model_;
    std::vector<int> shares_;   // where the updates of each owner begin
    std::vector<gradient_layout> layouts_;
    std::vector<int> sent_;   // by owner: messages sent of the current gradient
    std::vector<token_values> values_;

    // An owner's worker needs copies, because the owner moves the trainer's variables while the worker computes.
    bool owns() const { return this->rank() < options_.owners; }
    static gradient_worker<P> model_of(trainer<P>& train, bool own) {
        bool const flush = step_driver::state(train).run.flush;
        if (!own) return gradient_worker<P>(static_cast<variable_owner&>(train), flush);
        gradient_worker<P> model(train.store(), flush);
        model.pull(train.store());
        return model;
    }
    incoming wait_for_values(int o) {
        for (;;) {
            auto const r =
                this->link_.try_receive(o, owner_values_tag, this->arriving_, {.timeout = options_.deadline, .stop = this->link_.end()});
            this->link_.rethrow_if_failed();
            if (!r) this->fail_of_rank(o);
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, this->arriving_.data(), sizeof head);
            if (head.run != this->run()) continue;
            if (head.word == rank_word::ended) {   // the owner has failed
                this->stopped_ = true;
                this->cancel();
            }
            if (head.sequence == this->sequence_) return this->body(*r);
        }
    }
    void take_values(incoming m, int o) { values_[static_cast<std::size_t>(o)].read(m, o); }
    // Sends owner o the messages that are complete after `steps` steps and have not been sent.
    void give(int o, int steps) {
        auto const at = static_cast<std::size_t>(o);
        int const first = shares_[at] - step_parts<P>::second();
        for (int& part = sent_[at]; part < layouts_[at].parts() && layouts_[at].complete_after(part) <= steps; ++part) {
            layouts_[at].add(this->message_, part, [&](int update) { return model_.gradient(first + update); });
            this->send(rank_word::gradient, part, o, o == 0 ? to_coordinator_tag : to_owner_tag);
        }
    }
    // Called while gradients are computed. It also reads messages: a transport may make progress with sending only when it is called.
    void give_early(int steps) {
        for (int o = 0; o < options_.owners; ++o) give(o, steps);
        this->take_notes();
    }

public:
    rank_session(trainer<P>& train, rank_link<T>& link, sync_options const& options)
        : rank_guest<T>(
              link, {options.deadline, options.min_workers, options.stop}, replica_state(train), describe(train, options, describe_sync)),
          train_(train), options_(options), model_(model_of(train, link.rank() < options.owners)),
          shares_(shares_of_updates(train, options.owners)), layouts_(static_cast<std::size_t>(options.owners)) {
        this->draw_ = train.store().steps;
        model_.scale_loss(step_driver::loss_scale(train));
        int first = step_watch().first;
        for (std::size_t o = 0; o < layouts_.size(); ++o) {
            update_steps updates(step_driver::state(train).run, train.store(), shares_[o], shares_[o + 1]);
            updates.follow();
            layouts_[o].follow(train, updates, shares_[o], options.message_bytes);
            values_.emplace_back(train, model_.store(), shares_[o], shares_[o + 1], o == 0);
            if (layouts_[o].parts() > 1) first = std::min(first, layouts_[o].complete_after(0));
        }
        sent_.resize(layouts_.size());
        model_.watch({first, [](void* session, int steps) { static_cast<rank_session*>(session)->give_early(steps); }, this});
    }

    std::vector<int> const& shares() const { return shares_; }

    /// Like rank_guest::begin(). The worker then has the variables of rank 0.
    bool begin() {
        if (!rank_guest<T>::begin([](incoming&) {})) return false;
        if (this->rank() == 0) return true;   // it copied them before the coordinator could move them
        if (owns()) model_.pull(train_.store());
        this->draw_ = train_.store().steps;
        return true;
    }
    /// Computes gradients. The first messages are sent before the last gradients are complete; if it throws, they are ignored.
    template<class... B>
    auto compute(B const&... bindings) {
        ++this->sequence_;
        std::fill(sent_.begin(), sent_.end(), 0);
        return model_.compute_gradients(this->draw_++, this->rank(), bindings...);
    }
    /// Gives the gradients, waits for a token, and takes the new variables.
    void give_and_wait() {
        for (int o = options_.owners; o-- > 0;)
            give(o, gradient_layout::in_the_end);   // rank 0 comes last: what it has received, all owners have been sent
        take_values(this->wait_for_answer(), 0);
        for (int o = 1; o < options_.owners; ++o) take_values(wait_for_values(o), o);
    }
    /// Like rank_guest::end().
    template<class Join>
    sync_report end(std::exception_ptr const& thrown, Join const& join) {
        return rank_guest<T>::end(thrown, join, [&](incoming* m) {
            sync_report report;
            report.workers.resize(static_cast<std::size_t>(this->size()));
            if (m == nullptr) return report;
            report.updates = m->read<std::int64_t>();
            report.left = m->read<std::int64_t>();
            report.seconds = m->read<double>();
            m->read(report.workers.data(), report.workers.size() * sizeof(worker_report));
            return report;
        });
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
