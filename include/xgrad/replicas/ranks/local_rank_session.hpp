// SPDX-License-Identifier: MIT
// A worker that takes its own steps in its rank and exchanges with the centre in rank 0.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/ranks/local_rank_host.hpp>
#include <xgrad/replicas/ranks/rank_guest.hpp>

#include <memory>
#include <optional>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// One rank's side of a run. In rank 0 the worker's model belongs to the centre, which reads it while the worker waits. In another rank the
/// trainer is an image of the centre, as of the last message from it.
template<class P, class Method, class T>
class local_rank_session : public rank_guest<T> {
public:
    using model = typename Method::model;
    using host = local_rank_host<P, Method, T>;

private:
    trainer<P>& train_;
    typename Method::settings const& settings_;
    std::optional<Method> own_;   // in ranks other than 0
    Method* method_ = nullptr;
    std::shared_ptr<model> model_;
    std::int64_t steps_ = 0;

    void send(rank_word word) { rank_guest<T>::send(word); }

public:
    local_rank_session(trainer<P>& train, rank_link<T>& link, typename Method::settings const& settings)
        : rank_guest<T>(link, {settings.deadline, settings.min_workers, settings.stop}, replica_state(train),
              describe_local<Method>(train, settings)),
          train_(train), settings_(settings) {}

    /// Like rank_guest::begin(). The worker continues with the model `last` if rank 0 allows it; otherwise it makes a new one and stores it
    /// in `last`. `here` is the host in this rank, or null.
    bool begin(std::shared_ptr<model>& last, host* here) {
        std::int64_t goes_on = 0;
        if (!rank_guest<T>::begin([&](incoming& m) { goes_on = m.read<std::int64_t>(); })) return false;
        if (here != nullptr) {
            method_ = &here->all().method();
            model_ = here->all().model_of(0);
            this->draw_ = model_->train.store().steps;
            return true;
        }
        rules_of<P> const rules(train_);
        method_ = &own_.emplace(train_, settings_);
        method_->start();
        if (goes_on == 0 || last == nullptr || !last->fits(train_))
            last = std::make_shared<model>(new_worker<P>{train_, rules, this->rank()}, settings_);
        model_ = last;
        model_->follow(rules);
        model_->train.store().steps = this->draw_ = train_.store().steps;
        method_->begin(*model_);
        return true;
    }
    model& own() { return *model_; }
    /// Applies the worker's own update. At the end of a period it then exchanges with the centre, and waits for the answer.
    void step() {
        bool const due = method_->step(*model_);
        this->count(++steps_, model_->since, model_->train.store().steps);
        if (!due) return this->show_life();   // a period may take longer than the deadline
        ++this->sequence_;
        if (this->rank() != 0) {
            if constexpr (requires { method_->bring(*model_); }) method_->bring(*model_);
            method_->give(*model_, message_writer{this->message_});
        }
        send(rank_word::gradient);
        incoming m = this->wait_for_answer();
        if (this->rank() != 0) {
            method_->reply(*model_, message_reader{m});
            method_->resume(*model_);
        }
        this->count(steps_, model_->since, this->draw_);
    }
    /// Like rank_guest::end().
    template<class Join>
    local_report end(std::exception_ptr const& thrown, Join const& join) {
        return rank_guest<T>::end(thrown, join, [&](incoming* m) {
            local_report report;
            report.workers.resize(static_cast<std::size_t>(this->size()));
            if (m == nullptr) return report;
            report.updates = m->read<std::int64_t>();
            m->read(report.workers.data(), report.workers.size() * sizeof(local_worker_report));
            return report;
        });
    }
};

/// The worker of one rank.
template<class P, class Method, class T>
class local_rank_worker {
    local_rank_session<P, Method, T>& session_;

public:
    explicit local_rank_worker(local_rank_session<P, Method, T>& session) : session_(session) {}
    local_rank_worker(local_rank_worker const&) = delete;
    /// Takes one step with the worker's own variables, and at the end of a period exchanges with the centre: `worker(x = images)`. Returns
    /// the outputs from before the step; arrays are views that are valid until the next call.
    ///
    /// Throws like a call of the trainer; then nothing has changed. Throws cancelled_error if another worker has failed, a stop was
    /// requested, or this worker was left behind. Throws worker_error if rank 0 is lost.
    template<class... B>
    auto operator()(B const&... bindings) {
        session_.look();
        auto const outputs = session_.own().compute(bindings...);
        session_.step();
        return outputs;
    }
    /// The rank.
    int index() const { return session_.rank(); }
    /// The number of ranks, including those whose work has ended.
    int count() const { return session_.size(); }
    /// The worker's variables, slots and rules, for reading between calls.
    trainer<P> const& own() const { return session_.own().train; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
