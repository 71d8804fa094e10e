// SPDX-License-Identifier: MIT
// One update with the mean of the gradients of several workers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/accumulators/sum_of_lanes.hpp>
#include <xgrad/replicas/sync/update_steps.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <span>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Collects the gradients of workers, then makes an update in three steps:
/// 1. `gather` prepares it. It may throw std::bad_alloc, and moves no variable.
/// 2. `apply` moves the variables. Other threads may `help`.
/// 3. `finish` clears the gradients, once the helpers have left.
class mean_update {
    // The mean of one gradient. Dense gradients are referred to by address; rows are in the worker's lane.
    struct input {
        std::vector<lane_source<float>> floats;
        std::vector<lane_source<double>> doubles;
        // Pieces that any thread may take: their number, and their length in elements or table rows. `end` counts the pieces of all updates
        // up to this one.
        std::int64_t pieces = 0, length = 0, end = 0;
        std::span<std::int64_t const> rows;   // rows of the variable that a sparse update moves

        template<class T>
        auto& sources() {
            if constexpr (std::is_same_v<T, float>) return floats;
            else return doubles;
        }
        void cut(std::int64_t elements, std::int64_t piece) {
            length = std::max<std::int64_t>(piece, 1);
            pieces = (elements + length - 1) / length;
        }
    };
    update_steps updates_;
    std::vector<worker_lane> lanes_;
    std::vector<input> inputs_;
    update_room room_;                // of the thread that makes the update
    std::deque<update_room> rooms_;   // of each worker that helps; a deque, so that they keep their addresses when a worker joins
    // Workers below this number that have not left have memory to help in this update.
    std::size_t ready_ = 0;
    sequence<bool> by_rule_;
    std::atomic<std::int64_t> next_{0};
    std::int64_t divisor_ = 1, count_ = 1;   // divisors of gradients, and of assigned state
    std::int64_t bytes_ = 0;                 // of variables that move in pieces
    static constexpr std::int64_t piece_bytes = 65536;
    static constexpr std::int64_t worth_help = 1 << 20;   // waking a thread takes about as long as updating this many bytes

    input& input_of(int k) { return inputs_[static_cast<std::size_t>(k)]; }
    template<class T>
    void make_room(int k, std::int64_t rows = 0) {
        updates_.make_room<T>(k, room_, rows);
        for (std::size_t w = 0; input_of(k).pieces > 0 && w < lanes_.size(); ++w)
            if (!lanes_[w].left) updates_.make_room<T>(k, rooms_[w], rows);
    }
    template<class T>
    void gather(int k, bool sort, reduction r) {
        constexpr auto element = static_cast<std::int64_t>(sizeof(T));
        auto const at = static_cast<std::size_t>(k);
        input& in = input_of(k);
        in.pieces = 0;
        bool const in_parts = updates_.step(k).in_parts;
        if (!updates_.step(k).sparse) {
            find_sources<T>(lanes_, at, in.template sources<T>());
            if (in_parts) {
                in.cut(updates_.elements(k), piece_bytes / element);
                bytes_ += updates_.elements(k) * element;
            }
            return make_room<T>(k);
        }
        std::int64_t const length = updates_.row_length(k);
        given_gradient* all = nullptr;
        for (worker_lane& l : lanes_) {
            if (l.count == 0) continue;
            given_gradient& g = l.updates[at];
            if (l.pending) g.keep_rows<T>(updates_.step(k).index_type, length, sort, !l.sums_before());
            if (all == nullptr) all = &g;
            else all->of<T>().rows.merge(g.of<T>().rows.rows, length);
        }
        counted_rows<T>& rows = all->of<T>().rows.rows;
        if (r == reduction::mean || !by_rule_.at[k]) rows.divide(length);
        updates_.give_rows<T>(k, rows.values.data(), rows.indices.data(), rows.count);
        in.rows = {rows.indices.data(), static_cast<std::size_t>(rows.count)};
        // Each piece searches all indices. They are few compared with the rows of a large table.
        std::int64_t const table = updates_.table_rows(k);
        if (std::int64_t const bytes = table * length * element; in_parts && bytes >= worth_help) {
            auto const threads = std::count_if(lanes_.begin(), lanes_.end(), [](worker_lane const& l) { return !l.left; });
            in.cut(table, (table + threads - 1) / threads);
            bytes_ += bytes;
        }
        make_room<T>(k, rows.count);
    }
    template<class T>
    void run(int k, update_room const& room, std::int64_t first, std::int64_t last) {
        if (updates_.step(k).sparse) updates_.sparse(k, room, first, last);
        else
            updates_.dense<T>(
                k, room, first, last, sum_of_lanes<T>{input_of(k).sources<T>(), static_cast<T>(by_rule_.at[k] ? divisor_ : count_)});
    }
    std::int64_t length(int k) const { return updates_.step(k).sparse ? updates_.table_rows(k) : updates_.elements(k); }
    void take_pieces(update_room const& room) {
        std::int64_t const end = inputs_.empty() ? 0 : inputs_.back().end;
        int k = 0;
        for (std::int64_t n = next_++; n < end; n = next_++) {
            while (n >= input_of(k).end) ++k;
            input const& in = input_of(k);
            std::int64_t const first = (n - in.end + in.pieces) * in.length, last = std::min(first + in.length, length(k));
            if (updates_.step(k).type == dtype::float64) run<double>(k, room, first, last);
            else run<float>(k, room, first, last);
        }
    }

public:
    mean_update(runner const& run, variable_store const& store, int first, int end) : updates_(run, store, first, end) {}

    /// Reads the current addresses and sizes of the variables, and removes all workers. `by_rule`: which updates are made by rules; the
    /// others assign state.
    void begin(sequence<bool> by_rule) {
        by_rule_.swap(by_rule);
        updates_.follow();
        lanes_.clear();
        inputs_.resize(static_cast<std::size_t>(updates_.count()));
    }
    /// Changes the number of workers. New ones have given nothing.
    void resize(std::size_t workers) {
        lanes_.resize(workers);
        rooms_.resize(workers);
        for (worker_lane& l : lanes_)
            if (!l.left) l.updates.resize(inputs_.size());
    }
    bool has_given(int k) const { return lanes_[static_cast<std::size_t>(k)].count > 0; }
    /// Removes worker k, which must have given nothing since the last update, and releases its memory. Not while others help.
    void leave(int k) {
        lanes_[static_cast<std::size_t>(k)] = {};
        lanes_[static_cast<std::size_t>(k)].left = true;
        rooms_[static_cast<std::size_t>(k)] = {};
    }
    /// Worker k gives its gradients: `gradient(update)` returns a reference. The memory must stay valid until an update or keep().
    template<class F>
    void give(int k, F const& gradient) {
        worker_lane& l = lanes_[static_cast<std::size_t>(k)];
        for (std::size_t u = 0; u < l.updates.size(); ++u) l.updates[u].last = gradient(static_cast<int>(u));
        ++l.count;
        l.pending = true;
    }
    /// Copies the gradients of worker k, because it continues and will overwrite them. Throws std::bad_alloc.
    void keep(int k, bool sort) {
        worker_lane& l = lanes_[static_cast<std::size_t>(k)];
        if (!l.pending) return;
        each_update(updates_, [&](int u, auto t) {
            using T = decltype(t);
            given_gradient& g = l.updates[static_cast<std::size_t>(u)];
            planner::plan_step const& s = updates_.step(u);
            if (s.sparse) g.keep_rows<T>(s.index_type, updates_.row_length(u), sort, !l.sums_before());
            else g.keep_dense<T>(updates_.elements(u), !l.sums_before());
        });
        l.pending = false;
    }
    /// Prepares the update, and allocates its memory. The gradients are divided by `divisor`, rows by the number of gradients that contain
    /// them. With reduction::sum nothing is divided. Assigned state is always averaged.
    void gather(bool sort, reduction r, std::int64_t divisor) {
        divisor_ = r == reduction::mean ? divisor : 1;
        count_ = divisor;
        ready_ = rooms_.size();
        bytes_ = 0;
        each_update(updates_, [&](int k, auto t) { gather<decltype(t)>(k, sort, r); });
        std::int64_t end = 0;
        for (input& in : inputs_) in.end = end += in.pieces;
        next_ = 0;
    }
    /// Whether the update is large enough to wake waiting threads.
    bool wants_help() const { return bytes_ >= worth_help; }
    /// Whether worker k can help. One that has joined since gather() has no memory for it.
    bool can_help(int k) const { return wants_help() && static_cast<std::size_t>(k) < ready_; }
    /// Moves all variables, except pieces that helpers have not finished yet.
    void apply() {
        each_update(updates_, [&](int k, auto t) {
            if (input_of(k).pieces == 0) run<decltype(t)>(k, room_, 0, length(k));
        });
        take_pieces(room_);
    }
    update_room const& room_of(int k) const { return rooms_[static_cast<std::size_t>(k)]; }
    /// Takes pieces until none are left. The result of a piece does not depend on the thread.
    void help(update_room const& room) { take_pieces(room); }
    /// The rows that occur in the gradient of sparse update k, until finish().
    std::span<std::int64_t const> moved_rows(int k) const { return inputs_[static_cast<std::size_t>(k)].rows; }
    /// Discards what the workers have given.
    void finish() {
        for (worker_lane& l : lanes_) l.clear();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
