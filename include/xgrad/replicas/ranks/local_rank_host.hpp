// SPDX-License-Identifier: MIT
// The centre in rank 0, for workers that take their own steps in their ranks.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/local_message.hpp>
#include <xgrad/replicas/local/local_session.hpp>
#include <xgrad/replicas/ranks/rank_host.hpp>

#include <memory>
#include <mutex>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class Method, class P>
std::string describe_local(trainer<P>& train, typename Method::settings const& settings) {
    return describe(train, settings, [](std::string& text, auto const& s) {
        append(text, {"the method: ", Method::name, "\n"});
        Method::describe(text, s);
    });
}

/// Handles the workers' contributions in rank 0. A contribution is one message.
///
/// The host has a model of each worker. For the worker in rank 0 it is the worker's own model; for the others it is an image, into which
/// contributions are read. So the centre uses them like models of workers in threads.
template<class P, class Method, class T>
class local_rank_host : public rank_host<T, local_rank_host<P, Method, T>> {
    using base = rank_host<T, local_rank_host>;
    friend base;
    using session = local_session<P, Method>;

public:
    /// The current or last run. Any thread may ask it for a report.
    struct runs {
        fair_shared_mutex variables;   // guards the variables of the trainer
        mutable std::mutex mutex;
        std::shared_ptr<session> last;

        std::shared_ptr<session> current() const {
            std::lock_guard const lock(mutex);
            return last;
        }
    };

private:
    trainer<P>& train_;
    typename Method::settings const& settings_;
    runs& runs_;
    std::shared_ptr<session> all_;
    std::vector<std::int64_t> goes_on_;   // by worker: whether it continues with the slots of the last run
    local_report report_;

    auto answers() {
        return [this](int k) {
            if (k != this->rank()) all_->method().reply(*all_->model_of(k), message_writer{this->message_});
            all_->waited(k, this->answer(k));
        };
    }

    // Called by rank_host.
    void begin() {
        all_ = std::make_shared<session>(train_, settings_, runs_.variables, runs_.current().get());
        for (int k = 0; k < this->size(); ++k) goes_on_.push_back(all_->goes_on(k));
        std::lock_guard const lock(runs_.mutex);
        runs_.last = all_;
    }
    void add_welcome(int k, outgoing& message) const { message.add(goes_on_[static_cast<std::size_t>(k)]); }
    void take_given(int k, received const& r, rank_header const& head) {
        if (!this->accept(k, head)) return;
        all_->heard(k, head.steps, head.since, head.draw);
        if (k != this->rank()) {
            incoming m = this->body(r);
            all_->method().give(*all_->model_of(k), message_reader{m});
        }
        all_->arrive(k, k == this->rank(), answers());
    }
    void take_serves(int) {}
    static bool must_serve(int) { return false; }
    void leave(int k, rank_header const* head) {
        if (head != nullptr) all_->heard(k, head->steps, head->since, head->draw);
        all_->end_of_rank(k, head == nullptr, this->stopping(), answers());
    }
    void finish() { all_->finish(); }
    void tell_end() {}
    void add_report(outgoing& message) {
        report_ = all_->snapshot();
        message.add(report_.updates);
        message.add(report_.workers.data(), report_.workers.size() * sizeof(local_worker_report));
    }
    int culprit(int k) const { return k; }

public:
    /// Keeps references: all arguments must outlive this object.
    local_rank_host(trainer<P>& train, rank_link<T>& link, typename Method::settings const& settings, runs& all)
        : base(train, link, {settings.deadline, settings.min_workers, settings.stop}, describe_local<Method>(train, settings)),
          train_(train), settings_(settings), runs_(all) {}
    /// Call it only once all ranks agree.
    session& all() { return *all_; }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
