// SPDX-License-Identifier: MIT
// Applies the updates of a plan with dense gradients, even where the plan itself has slices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/worker_lane.hpp>
#include <xgrad/replicas/sync/update_steps.hpp>

#include <algorithm>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The updates of a plan and the variables that they move.
class plan_updates {
protected:
    runner const* run_;
    variable_store const* store_;
    update_steps updates_;
    update_room room_;   // scratch of the one thread that moves the variables

public:
    plan_updates(runner const& run, variable_store const& store, int first, int end)
        : run_(&run), store_(&store), updates_(run, store, first, end) {}

    update_steps& steps() { return updates_; }
    update_steps const& steps() const { return updates_; }
    update_room& room() { return room_; }
    stored_variable const& variable(int k) const { return *store_->find(run_->plan().variables[updates_.step(k).variable].hash); }
    std::int64_t elements(int k) const { return variable(k).size; }
};

/// Moves whole variables. If the plan moves a variable by rows, all its rows are given.
class dense_updates : public plan_updates {
    aligned_buffer<std::int64_t> every_row_;
    aligned_buffer<std::byte> table_;

public:
    using plan_updates::plan_updates;

    /// Reads the current addresses and sizes of the variables, and allocates memory for all updates. Throws std::bad_alloc.
    void begin() {
        updates_.follow();
        std::int64_t most = 0;
        each_update(updates_, [&](int k, auto t) {
            using T = decltype(t);
            if (!updates_.step(k).sparse) return updates_.make_room<T>(k, room_);
            std::int64_t const rows = variable(k).extents[0];
            updates_.make_room<T>(k, room_, rows);
            table_.grow_to(static_cast<std::size_t>(elements(k)) * sizeof(T));
            most = rows > most ? rows : most;
        });
        every_row_.grow_to(static_cast<std::size_t>(most));
        for (std::int64_t r = 0; r < most; ++r) every_row_[static_cast<std::size_t>(r)] = r;
        each_update(updates_, [&](int k, auto t) {
            using T = decltype(t);
            if (updates_.step(k).sparse)
                updates_.give_rows<T>(k, reinterpret_cast<T const*>(table_.data()), every_row_.data(), variable(k).extents[0]);
        });
    }
    /// Applies update k. `sum(to, first, n)` must write elements first .. first + n - 1 of the gradient; it is called in ascending order,
    /// once for each range. It must not throw.
    template<class T, class Sum>
    void apply(int k, Sum const& sum) {
        if (!updates_.step(k).sparse) return updates_.dense<T>(k, room_, 0, elements(k), sum);
        auto* const all = reinterpret_cast<T*>(table_.data());
        sum(all, std::int64_t{0}, elements(k));
        updates_.sparse(k, room_, 0, updates_.table_rows(k));
    }
};

/// Dense sums of the gradients of one worker. Slices are added to their rows; slices of the same row are summed first.
class dense_sums {
    std::vector<given_gradient> all_;

public:
    /// Allocates a sum for each update. With `adds` false, as for whole(), it allocates sums for slices only. Throws std::bad_alloc.
    void make_room(dense_updates const& updates, bool adds) {
        all_.resize(static_cast<std::size_t>(updates.steps().count()));
        each_update(updates.steps(), [&](int k, auto t) {
            if (!adds && !updates.steps().step(k).sparse) return;
            all_[static_cast<std::size_t>(k)].of<decltype(t)>().dense.values.grow_to(static_cast<std::size_t>(updates.elements(k)));
        });
    }
    void clear(dense_updates const& updates) {
        each_update(updates.steps(), [&](int k, auto t) {
            decltype(t)* const p = values<decltype(t)>(k);
            std::fill(p, p + updates.elements(k), decltype(t)(0));
        });
    }
    template<class T>
    T* values(int k) {
        return all_[static_cast<std::size_t>(k)].of<T>().dense.values.data();
    }
    /// Reads or writes all sums.
    template<class Pass>
    void pass(Pass const& pass, dense_updates const& updates) {
        each_update(updates.steps(), [&](int k, auto t) {
            using T = decltype(t);
            pass(values<T>(k), static_cast<std::size_t>(updates.elements(k)) * sizeof(T));
        });
    }
    /// Prepares the addition of a gradient of slices: call it before add(). This part may throw std::bad_alloc.
    void sort(dense_updates const& updates, int k, gradient_ref const& gradient) {
        given_gradient& g = all_[static_cast<std::size_t>(k)];
        g.last = gradient;
        planner::plan_step const& s = updates.steps().step(k);
        if (!s.sparse) return;
        if (s.type == dtype::float64) g.keep_rows<double>(s.index_type, updates.steps().row_length(k), true, true);
        else g.keep_rows<float>(s.index_type, updates.steps().row_length(k), true, true);
    }
    template<class T>
    void add(dense_updates const& updates, int k) {
        given_gradient const& g = all_[static_cast<std::size_t>(k)];
        if (!updates.steps().step(k).sparse) return add_elements(values<T>(k), static_cast<T const*>(g.last.values), updates.elements(k));
        counted_rows<T> const& rows = g.of<T>().rows.rows;
        std::int64_t const length = updates.steps().row_length(k);
        for (std::int64_t r = 0; r < rows.count; ++r)
            add_elements(values<T>(k) + rows.indices[static_cast<std::size_t>(r)] * length, rows.row(r, length), length);
    }
    /// The last gradient alone, dense: its own memory, or for slices a dense copy.
    template<class T>
    T const* whole(dense_updates const& updates, int k) {
        given_gradient const& g = all_[static_cast<std::size_t>(k)];
        if (!updates.steps().step(k).sparse) return static_cast<T const*>(g.last.values);
        std::fill_n(values<T>(k), updates.elements(k), T(0));
        add<T>(updates, k);
        return values<T>(k);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
