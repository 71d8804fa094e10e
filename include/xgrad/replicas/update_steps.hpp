// SPDX-License-Identifier: MIT
// The updates of a plan, for gradients that come from elsewhere than its own first part.
#pragma once

#include <xgrad/run/runner.hpp>
#include <xgrad/run/step_part.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Updates `first` to before `end` of a runner whose plan has all gradients before all updates. Both the runner and its store outlive it.
class update_steps {
    runner const* run_;
    variable_store const* store_;
    int first_;
    sequence<step_arguments> steps_;
    sequence<operand_argument> operands_;   // two for each step
    aligned_buffer<std::byte> scratch_, block_;
    aligned_buffer<std::int32_t> indices_;
    static constexpr std::int64_t block_bytes = 16384;   // of gradients that are summed as they are used: half of a first cache

    std::int64_t sized(short polynomial) const { return extent_at(run_->plan().polynomials[polynomial], store_->sizes(), 0); }
    void run_step(int k) {
        steps_.at[k].scratch = scratch_.data();
        steps_.at[k].kernel(steps_.at[k]);
    }

public:
    update_steps(runner const& run, variable_store const& store, int first, int end)
        : run_(&run), store_(&store), first_(first), steps_(end - first, {}), operands_(2 * (end - first), {}) {}

    int count() const { return steps_.count; }
    planner::plan_step const& step(int k) const { return run_->plan().steps[first_ + k]; }
    /// Of a dense gradient.
    std::int64_t elements(int k) const { return steps_.at[k].inner; }
    /// Of a sparse one.
    std::int64_t row_length(int k) const { return steps_.at[k].inner; }

    /// Addresses and sizes of the variables as they are now.
    void follow() {
        for (int k = 0; k < steps_.count; ++k) {
            step_arguments& a = steps_.at[k];
            a = run_->arguments()[first_ + k];
            for (int d = 0; d < max_rank - 1; ++d) a.extent[d] = sized(step(k).extent[d]);
            a.inner = sized(step(k).inner);
            a.last = a.extent[2];
            a.first = 0;
            a.operands = operands_.at + 2 * k;
        }
    }
    /// Memory for update k, before any of them runs; for a sparse one by so many rows. Throws std::bad_alloc.
    template<class T>
    void make_room(int k, std::int64_t rows = 0) {
        step_arguments a = steps_.at[k];
        if (step(k).sparse) {
            a.extent[0] = a.extent[3] = rows;
            if (step(k).index_type == dtype::int32) indices_.grow_to(static_cast<std::size_t>(rows));
        } else block_.grow_to(step(k).in_parts ? block_bytes : static_cast<std::size_t>(a.inner) * sizeof(T));
        scratch_.grow_to(kernel_scratch(run_->plan(), first_ + k, a));
    }
    /// A dense update; `sum(to, first, n)` writes elements first .. first + n - 1 of the gradient, in this order once each, n at most 16 kB. It, and sparse(),
    /// take memory that make_room has made, and throw nothing.
    template<class T, class Sum>
    void dense(int k, Sum const& sum) {
        constexpr std::int64_t most = block_bytes / static_cast<std::int64_t>(sizeof(T));
        bool const in_parts = step(k).in_parts;   // all but rules that reduce over the gradient
        T* const block = reinterpret_cast<T*>(block_.data());
        for (std::int64_t i = 0, n = elements(k); i < n; i += most) {
            std::int64_t const end = n - i < most ? n : i + most;
            sum(in_parts ? block : block + i, i, end - i);
            if (!in_parts) continue;
            operand_argument gradient;
            step_arguments part = steps_.at[k];
            take_part(run_->plan(), first_ + k, &part, &gradient, i, end);
            // the kernel counts elements from the beginning of the gradient
            gradient.data =
                reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(block) - static_cast<std::uintptr_t>(i) * sizeof(T));
            part.scratch = scratch_.data();
            part.kernel(part);
        }
        if (in_parts) return;
        operands_.at[2 * k].data = block_.data();
        run_step(k);
    }
    /// A sparse update by `n` rows of `values` side by side.
    template<class T>
    void sparse(int k, T const* values, std::int64_t const* indices, std::int64_t n) {
        step_arguments& a = steps_.at[k];
        a.extent[0] = a.extent[3] = n;
        a.extent[1] = 1;
        operand_argument& v = operands_.at[2 * k];
        v = {reinterpret_cast<std::byte*>(const_cast<T*>(values)), {a.inner}, 1};
        std::byte* at = reinterpret_cast<std::byte*>(const_cast<std::int64_t*>(indices));
        if (step(k).index_type == dtype::int32) {
            std::int32_t* const narrow = indices_.data();
            for (std::int64_t i = 0; i < n; ++i) narrow[i] = static_cast<std::int32_t>(indices[i]);
            at = reinterpret_cast<std::byte*>(narrow);
        }
        operands_.at[2 * k + 1] = {at, {1}, 1};
        run_step(k);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
