// SPDX-License-Identifier: MIT
// The updates of a plan, for gradients that do not come from the plan's own first part.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runner.hpp>
#include <xgrad/run/step_part.hpp>

#include <cstdint>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Scratch of a thread that makes updates: for kernels, and for a block of a gradient that is summed where it is used.
struct update_room {
    aligned_buffer<std::byte> scratch, block;
};

/// The updates `first` .. `end` - 1 of a runner whose plan has all gradients before all updates. Runner and store must outlive this object.
/// Several updates, and parts of one, may run concurrently if each thread has its own update_room.
class update_steps {
    runner const* run_;
    variable_store const* store_;
    int first_;
    sequence<step_arguments> steps_;
    sequence<operand_argument> operands_;   // two for each step
    std::vector<aligned_buffer<std::int32_t>> indices_;
    static constexpr std::int64_t block_bytes = 16384;   // half of a first-level cache

    std::int64_t sized(short polynomial) const { return extent_at(run_->plan().polynomials[polynomial], store_->sizes(), 0); }

public:
    update_steps(runner const& run, variable_store const& store, int first, int end)
        : run_(&run), store_(&store), first_(first), steps_(end - first, {}), operands_(2 * (end - first), {}),
          indices_(static_cast<std::size_t>(end - first)) {}

    int count() const { return steps_.count; }
    planner::plan_step const& step(int k) const { return run_->plan().steps[first_ + k]; }
    /// The number of elements of a dense gradient.
    std::int64_t elements(int k) const { return steps_.at[k].inner; }
    /// The length of a row of a sparse gradient.
    std::int64_t row_length(int k) const { return steps_.at[k].inner; }
    /// The number of rows of the variable that a sparse update moves.
    std::int64_t table_rows(int k) const { return steps_.at[k].extent[2]; }

    /// Reads the current addresses and sizes of the variables.
    void follow() {
        for (int k = 0; k < steps_.count; ++k) {
            step_arguments& a = steps_.at[k];
            a = run_->arguments()[first_ + k];
            for (int d = 0; d < max_rank - 1; ++d) a.extent[d] = sized(step(k).extent[d]);
            a.inner = sized(step(k).inner);
            a.last = a.extent[2];
            a.first = 0;
            a.groups = nullptr;   // each gradient has its own indices
            a.operands = operands_.at + 2 * k;
        }
    }
    /// Allocates memory for update k in `room`; for a sparse update by `rows` rows. Only this function and give_rows throw std::bad_alloc.
    template<class T>
    void make_room(int k, update_room& room, std::int64_t rows = 0) const {
        step_arguments a = steps_.at[k];
        if (step(k).sparse) a.extent[0] = a.extent[3] = rows;
        else room.block.grow_to(step(k).in_parts ? block_bytes : static_cast<std::size_t>(a.inner) * sizeof(T));
        room.scratch.grow_to(kernel_scratch(run_->plan(), first_ + k, a));
    }
    /// Updates elements `first` .. `last` - 1 by a dense gradient. If the rule reduces over the gradient (step(k).in_parts is false), these
    /// must be all elements. `sum(to, at, n)` must write elements at .. at + n - 1 of the gradient; it is called in ascending order, once
    /// for each range.
    template<class T, class Sum>
    void dense(int k, update_room const& room, std::int64_t first, std::int64_t last, Sum const& sum) const {
        constexpr std::int64_t most = block_bytes / static_cast<std::int64_t>(sizeof(T));
        bool const in_parts = step(k).in_parts;
        T* const block = reinterpret_cast<T*>(const_cast<std::byte*>(room.block.data()));
        operand_argument gradient;
        step_arguments part = steps_.at[k];
        for (std::int64_t i = first; i < last; i += most) {
            std::int64_t const end = last - i < most ? last : i + most;
            sum(in_parts ? block : block + i, i, end - i);
            if (!in_parts) continue;
            part = steps_.at[k];
            take_part(run_->plan(), first_ + k, &part, &gradient, i, end);
            // the kernel counts elements from the beginning of the gradient
            gradient.data =
                reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(block) - static_cast<std::uintptr_t>(i) * sizeof(T));
            part.scratch = const_cast<std::byte*>(room.scratch.data());
            part.kernel(part);
        }
        if (in_parts) return;
        gradient = part.operands[0];
        gradient.data = reinterpret_cast<std::byte*>(block);
        part.operands = &gradient;
        part.scratch = const_cast<std::byte*>(room.scratch.data());
        part.kernel(part);
    }
    /// Sets the gradient of a sparse update: `n` contiguous rows of `values`.
    template<class T>
    void give_rows(int k, T const* values, std::int64_t const* indices, std::int64_t n) {
        step_arguments& a = steps_.at[k];
        a.extent[0] = a.extent[3] = n;
        a.extent[1] = 1;
        operand_argument& v = operands_.at[2 * k];
        v = {reinterpret_cast<std::byte*>(const_cast<T*>(values)), {a.inner}, 1};
        std::byte* at = reinterpret_cast<std::byte*>(const_cast<std::int64_t*>(indices));
        if (step(k).index_type == dtype::int32) {
            auto& narrow = indices_[static_cast<std::size_t>(k)];
            narrow.grow_to(static_cast<std::size_t>(n));
            for (std::int64_t i = 0; i < n; ++i) narrow.data()[i] = static_cast<std::int32_t>(indices[i]);
            at = reinterpret_cast<std::byte*>(narrow.data());
        }
        operands_.at[2 * k + 1] = {at, {1}, 1};
    }
    /// Makes a sparse update of the rows `first` .. `last` - 1 of the variable. If the rule reduces over more than a row, these must be all
    /// rows.
    void sparse(int k, update_room const& room, std::int64_t first, std::int64_t last) const {
        operand_argument operands[2];
        step_arguments part = steps_.at[k];
        part.scratch = const_cast<std::byte*>(room.scratch.data());
        if (step(k).in_parts) take_part(run_->plan(), first_ + k, &part, operands, first, last);
        part.kernel(part);
    }
};

/// Calls `f(k, T())` for each update; T is the type of its computation.
template<class F>
void each_update(update_steps const& updates, F const& f) {
    for (int k = 0; k < updates.count(); ++k)
        if (updates.step(k).type == dtype::float64) f(k, double());
        else f(k, float());
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
