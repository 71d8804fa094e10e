// SPDX-License-Identifier: MIT
// The position of a loop over outer dimensions: the indices, and for each operand the first element of the row.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/arguments.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Strides are in elements. `bytes` of the functions are the sizes of the operands' elements; 0 means that only the position counts.
/// The sizes are no parameters of the type: loops that differ only in them share its functions.
template<int OuterRank, int Operands>
struct row_position {
    static constexpr int room = Operands > 0 ? Operands : 1;
    step_arguments const& a;
    std::byte* at[room];
    std::int64_t offset[room];   // the same in elements, for positions
    std::int64_t inner[room];    // their strides in a row, for positions: a copy, which no store of a loop can change
    std::int64_t index[OuterRank > 0 ? OuterRank : 1];

    XGRAD_KERNEL explicit row_position(step_arguments const& arguments) : a(arguments), at{}, offset{}, inner{}, index{} {}

    XGRAD_KERNEL void place_all(std::int64_t const* bytes) { place_each(bytes, operand_list{}); }

    /// Moves to the next position of the dimensions in Mask. Returns false after the last one:
    /// their indices are 0 then, and the addresses must be placed again.
    template<int Mask>
    XGRAD_KERNEL bool next(std::int64_t const* bytes) {
        bool last = true;
        for (int d = OuterRank - 1; d >= 0; --d) {
            if ((Mask >> d & 1) == 0) continue;
            if (++index[d] < a.extent[d]) {
                if (last) advance_each(d, bytes, operand_list{});
                else place_each(bytes, operand_list{});
                return true;
            }
            index[d] = 0;
            last = false;
        }
        return false;
    }

    /// The number of positions left along the last dimension of Mask, including this one. step() moves to the next one without counting.
    template<int Mask>
    XGRAD_KERNEL std::int64_t left() const {
        return a.extent[last<Mask>] - index[last<Mask>];
    }
    template<int Mask>
    XGRAD_KERNEL void step(std::int64_t const* by, std::int64_t const* bytes) {
        step_each(by, bytes, operand_list{});
    }
    template<int Mask>
    XGRAD_KERNEL void steps(std::int64_t* by) const {
        for (int k = 0; k < Operands; ++k) by[k] = a.operands[k].stride[last<Mask>];
    }
    /// Like next(), after n steps. n must not be larger than left().
    template<int Mask>
    XGRAD_KERNEL bool next_after(std::int64_t n, std::int64_t const* bytes) {
        if ((index[last<Mask>] += n) < a.extent[last<Mask>]) return true;
        index[last<Mask>] = 0;
        return next<Mask & ((1 << last<Mask>)-1)>(bytes) && (place_each(bytes, operand_list{}), true);
    }

private:
    template<int Mask>
    static constexpr int last = [] {
        int d = OuterRank - 1;
        while (d > 0 && (Mask >> d & 1) == 0) --d;
        return d;
    }();
    using operand_list = std::make_index_sequence<static_cast<std::size_t>(Operands)>;

    XGRAD_KERNEL void place(std::size_t operand, std::int64_t bytes) {
        std::int64_t from = bytes > 0 ? 0 : reinterpret_cast<std::intptr_t>(a.operands[operand].data);
        for (int d = 0; d < OuterRank; ++d) from += index[d] * a.operands[operand].stride[d];
        offset[operand] = from;
        if (bytes > 0) at[operand] = a.operands[operand].data + from * bytes;
        else inner[operand] = a.operands[operand].inner;
    }
    XGRAD_KERNEL void advance(std::size_t operand, std::int64_t bytes, int dim) {
        std::int64_t const step = a.operands[operand].stride[dim];
        offset[operand] += step;
        if (bytes > 0) at[operand] += step * bytes;
    }
    template<std::size_t... S>
    XGRAD_KERNEL void place_each([[maybe_unused]] std::int64_t const* bytes, std::index_sequence<S...>) {
        (place(S, bytes[S]), ...);
    }
    template<std::size_t... S>
    XGRAD_KERNEL void step_each(
        [[maybe_unused]] std::int64_t const* by, [[maybe_unused]] std::int64_t const* bytes, std::index_sequence<S...>) {
        ((offset[S] += by[S], bytes[S] > 0 ? void(at[S] += by[S] * bytes[S]) : void()), ...);
    }
    template<std::size_t... S>
    XGRAD_KERNEL void advance_each([[maybe_unused]] int dim, [[maybe_unused]] std::int64_t const* bytes, std::index_sequence<S...>) {
        (advance(S, bytes[S], dim), ...);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
