// SPDX-License-Identifier: MIT
// Records when each worker did what: a ring of spans for each worker, written by its thread and read by any thread.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// What a worker does: computes gradients, waits for others, moves the variables.
enum class span_kind : unsigned char { compute, wait, update };

/// Begin and end in nanoseconds since the recorder was made.
struct timeline_span {
    span_kind kind;
    std::int64_t begin, end;
    bool operator==(timeline_span const&) const = default;
};
/// The last spans of one worker in the order of recording, and the number of earlier ones that were overwritten.
struct worker_timeline {
    std::vector<timeline_span> spans;
    std::int64_t lost = 0;
};
/// The timelines of all workers. to_svg(timeline) draws it.
struct timeline {
    std::vector<worker_timeline> workers;
};

/// Keeps the last spans of each worker. Recording is three stores to memory that only its worker writes: no lock, no allocation.
class timeline_recorder {
    // The words of a span: its begin, and its end with the kind in the two lowest bits.
    using word = std::atomic<std::int64_t>;
    struct alignas(64) lane {
        std::atomic<std::int64_t> count{0};
        std::unique_ptr<word[]> words;
    };
    std::vector<lane> lanes_;
    std::int64_t places_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

public:
    /// A step has at most three spans: compute, then wait, or update and wait.
    static constexpr int spans_per_step = 3;

    /// Throws value_error if there would be no worker or no span.
    timeline_recorder(int workers, int spans)
        // one more, which may be half written
        : lanes_(static_cast<std::size_t>(std::max(workers, 0))), places_(std::int64_t{spans} + 1) {
        if (workers < 1 || spans < 1)
            raise_parts<value_error>({"xgrad: timeline_recorder: ", spans, " spans of ", workers, " workers; there must be one of each"});
        for (lane& l : lanes_) l.words.reset(new word[static_cast<std::size_t>(2 * places_)]{});
    }

    /// The current time, in the units of a span.
    std::int64_t now() const { return since(std::chrono::steady_clock::now()); }
    std::int64_t since(std::chrono::steady_clock::time_point t) const {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(t - start_).count();
    }

    /// Records a span. Only the worker's thread may call it.
    void record(int worker, span_kind kind, std::int64_t begin, std::int64_t end) noexcept {
        lane& l = lanes_[static_cast<std::size_t>(worker)];
        std::int64_t const n = l.count.load(std::memory_order_relaxed);
        word* const at = &l.words[static_cast<std::size_t>(2 * (n % places_))];
        // Release: a thread that reads one of these words also sees that n spans have been recorded. So it knows that this place is being
        // overwritten.
        at[0].store(begin, std::memory_order_release);
        at[1].store(end * 4 + static_cast<std::int64_t>(kind), std::memory_order_release);
        l.count.store(n + 1, std::memory_order_release);
    }

    /// Everything recorded so far. Any thread may call it while workers continue.
    timeline snapshot() const {
        timeline all;
        all.workers.resize(lanes_.size());
        for (std::size_t k = 0; k < lanes_.size(); ++k) {
            lane const& l = lanes_[k];
            std::int64_t const count = l.count.load(std::memory_order_acquire);
            std::int64_t first = std::max<std::int64_t>(0, count - places_ + 1);
            std::vector<timeline_span>& spans = all.workers[k].spans;
            for (std::int64_t i = first; i < count; ++i) {
                word const* const at = &l.words[static_cast<std::size_t>(2 * (i % places_))];
                std::int64_t const begin = at[0].load(std::memory_order_acquire), end = at[1].load(std::memory_order_acquire);
                spans.push_back({static_cast<span_kind>(end & 3), begin, end >> 2});
            }
            // Drops places that have been reused meanwhile, up to the one that may be half written now.
            std::int64_t const whole = std::min(l.count.load(std::memory_order_relaxed) - places_ + 1, count);
            if (whole > first) {
                spans.erase(spans.begin(), spans.begin() + (whole - first));
                first = whole;
            }
            all.workers[k].lost = first;
        }
        return all;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
