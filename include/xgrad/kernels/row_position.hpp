// SPDX-License-Identifier: MIT
// Where a loop over outer dimensions stands: the indices, and for each slot the first element of the row.
#pragma once

#include <xgrad/kernels/arguments.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Slots::count slots with elements of Slots::bytes[i] bytes (0: only the position counts). Strides are in elements.
template<int OuterRank, class Slots>
struct row_position {
    static constexpr int room = Slots::count > 0 ? Slots::count : 1;
    step_arguments const& a;
    std::byte* at[room];
    std::int64_t offset[room];   // the same in elements, for positions
    std::int64_t index[OuterRank > 0 ? OuterRank : 1];

    XGRAD_INLINE explicit row_position(step_arguments const& arguments) : a(arguments), at{}, offset{}, index{} {}

    XGRAD_INLINE void place_all() { place_each(slot_list{}); }

    /// The next position of the dimensions in Mask; false after the last one, with their indices at 0 and the addresses to be placed again.
    template<int Mask>
    XGRAD_INLINE bool next() {
        bool last = true;
        for (int d = OuterRank - 1; d >= 0; --d) {
            if ((Mask >> d & 1) == 0) continue;
            if (++index[d] < a.extent[d]) {
                if (last) advance_each(d, slot_list{});
                else place_each(slot_list{});
                return true;
            }
            index[d] = 0;
            last = false;
        }
        return false;
    }

private:
    using slot_list = std::make_index_sequence<static_cast<std::size_t>(Slots::count)>;

    XGRAD_INLINE void place(std::size_t slot, std::int64_t bytes) {
        std::int64_t from = bytes > 0 ? 0 : reinterpret_cast<std::intptr_t>(a.slots[slot].data);
        for (int d = 0; d < OuterRank; ++d) from += index[d] * a.slots[slot].stride[d];
        offset[slot] = from;
        if (bytes > 0) at[slot] = a.slots[slot].data + from * bytes;
    }
    XGRAD_INLINE void advance(std::size_t slot, std::int64_t bytes, int dim) {
        std::int64_t const step = a.slots[slot].stride[dim];
        offset[slot] += step;
        if (bytes > 0) at[slot] += step * bytes;
    }
    template<std::size_t... S>
    XGRAD_INLINE void place_each(std::index_sequence<S...>) {
        (place(S, Slots::bytes[S]), ...);
    }
    template<std::size_t... S>
    XGRAD_INLINE void advance_each(int dim, std::index_sequence<S...>) {
        (advance(S, Slots::bytes[S], dim), ...);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
