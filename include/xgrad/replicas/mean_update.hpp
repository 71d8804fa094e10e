// SPDX-License-Identifier: MIT
// One update with the mean of what several workers have given.
#pragma once

#include <xgrad/replicas/sum_of_lanes.hpp>
#include <xgrad/replicas/update_steps.hpp>

#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Between updates it takes the gradients of workers; an update is `gather`, which may throw std::bad_alloc and moves no variable, and then `apply`.
class mean_update {
    struct input {   // the mean of one gradient: pieces of dense ones, or rows
        std::vector<lane_source<float>> floats;
        std::vector<lane_source<double>> doubles;
        given_gradient* rows = nullptr;   // whose sum of rows has become the mean

        template<class T>
        auto& sources() {
            if constexpr (std::is_same_v<T, float>) return floats;
            else return doubles;
        }
    };
    update_steps updates_;
    std::vector<worker_lane> lanes_;
    std::vector<input> inputs_;

    template<class F>
    void each(F const& f) {
        for (int k = 0; k < updates_.count(); ++k)
            if (updates_.step(k).type == dtype::float64) f(k, double());
            else f(k, float());
    }
    template<class T>
    void gather(int k, bool sort, reduction r) {
        auto const at = static_cast<std::size_t>(k);
        if (!updates_.step(k).sparse) {
            find_sources<T>(lanes_, at, inputs_[at].template sources<T>());
            return updates_.make_room<T>(k);
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
        if (r == reduction::mean) all->of<T>().rows.rows.divide(length);
        inputs_[at].rows = all;
        updates_.make_room<T>(k, all->of<T>().rows.rows.count);
    }

public:
    mean_update(runner const& run, variable_store const& store, int first, int end) : updates_(run, store, first, end) {}

    /// Addresses and sizes of the variables as they are now; there are no workers.
    void begin() {
        updates_.follow();
        lanes_.clear();
        inputs_.resize(static_cast<std::size_t>(updates_.count()));
    }
    /// More workers, which have given nothing, or fewer.
    void resize(std::size_t workers) {
        lanes_.resize(workers);
        for (worker_lane& l : lanes_) l.updates.resize(inputs_.size());
    }
    /// Worker k gives its gradients, which stay where they are until an update or keep(): `gradient(update)` says where.
    template<class F>
    void give(int k, F const& gradient) {
        worker_lane& l = lanes_[static_cast<std::size_t>(k)];
        for (std::size_t u = 0; u < l.updates.size(); ++u) l.updates[u].last = gradient(static_cast<int>(u));
        ++l.count;
        l.pending = true;
    }
    /// Worker k goes on: what it has given will be overwritten. Throws std::bad_alloc.
    void keep(int k, bool sort) {
        worker_lane& l = lanes_[static_cast<std::size_t>(k)];
        if (!l.pending) return;
        each([&](int u, auto t) {
            using T = decltype(t);
            given_gradient& g = l.updates[static_cast<std::size_t>(u)];
            planner::plan_step const& s = updates_.step(u);
            if (s.sparse) g.keep_rows<T>(s.index_type, updates_.row_length(u), sort, !l.sums_before());
            else g.keep_dense<T>(updates_.elements(u), !l.sums_before());
        });
        l.pending = false;
    }
    /// All means of rows, or their sums, and memory for the update.
    void gather(bool sort, reduction r) {
        each([&](int k, auto t) { gather<decltype(t)>(k, sort, r); });
    }
    /// Moves all variables by the sums divided by `divisor`, those of rows as they have been gathered; then nobody has given anything.
    void apply(std::int64_t divisor) {
        each([&](int k, auto t) {
            using T = decltype(t);
            input& in = inputs_[static_cast<std::size_t>(k)];
            if (updates_.step(k).sparse) {
                counted_rows<T> const& rows = in.rows->of<T>().rows.rows;
                updates_.sparse(k, rows.values.data(), rows.indices.data(), rows.count);
            } else updates_.dense<T>(k, sum_of_lanes<T>{in.sources<T>(), static_cast<T>(divisor)});
        });
        for (worker_lane& l : lanes_) l.clear();
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
