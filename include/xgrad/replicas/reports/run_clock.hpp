// SPDX-License-Identifier: MIT
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/reports/timeline.hpp>

#include <atomic>
#include <chrono>
#include <memory>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The duration of a run and the timeline of its workers. Any thread may read them.
class run_clock {
    using clock = std::chrono::steady_clock;
    clock::time_point const start_ = clock::now();
    std::atomic<clock::rep> end_{0};   // since the start
    int workers_;
    std::unique_ptr<timeline_recorder> recorder_;

public:
    /// `timeline_steps`: how many of the last steps of each worker are recorded; 0 for none. Workers that join later are not recorded.
    run_clock(int workers, int timeline_steps) : workers_(workers) {
        if (timeline_steps > 0)
            recorder_.reset(new timeline_recorder(workers, std::min(timeline_steps, 1000000) * timeline_recorder::spans_per_step));
    }
    /// Records that worker k has done `kind` since `begin`; returns the seconds. Called by the worker's thread.
    double record(int k, span_kind kind, clock::time_point begin) {
        auto const end = clock::now();
        if (recorder_ != nullptr && k < workers_) recorder_->record(k, kind, recorder_->since(begin), recorder_->since(end));
        return std::chrono::duration<double>(end - begin).count();
    }
    void end() { end_ = (clock::now() - start_).count(); }
    double seconds() const {
        auto const end = end_.load();
        return std::chrono::duration<double>(end == 0 ? clock::now() - start_ : clock::duration(end)).count();
    }
    xgrad::timeline timeline() const { return recorder_ == nullptr ? xgrad::timeline{} : recorder_->snapshot(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
