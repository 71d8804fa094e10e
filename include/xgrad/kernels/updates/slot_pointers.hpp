// SPDX-License-Identifier: MIT
// Reads and writes the slots of a variable as batches or numbers of the type in which the rule computes, for any type in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/rule_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The place of an element: element i is column j of row r.
struct slot_place {
    std::int64_t i, r = 0, j = 0;
};

namespace detail {
/// Prefetches a row of n elements that will be written.
template<class T>
XGRAD_KERNEL void prefetch_row(T const* p, std::int64_t n) {
    constexpr std::int64_t line = 64 / sizeof(T);
    for (std::int64_t e = 0; e < n; e += line) simd::prefetch_write(p + e);
    simd::prefetch_write(p + n - 1);   // a row may begin inside a cache line
}

/// A slot with elements M in memory, one for each Scope, of a rule that computes in T.
template<class T, class M, per Scope>
struct slot_access {
    static constexpr bool of_pairs = Scope == per::row_pair || Scope == per::column_pair;   // bodies for single elements do not see it
    static constexpr bool along_row = Scope == per::element || Scope == per::column;        // differs from element to element of a row
    XGRAD_KERNEL static M* at(void* first, slot_place p) {
        return static_cast<M*>(first) + (Scope == per::element ? p.i : Scope == per::row ? p.r : Scope == per::column ? p.j : 0);
    }
    /// The values for the elements from p on, along their row.
    XGRAD_KERNEL static simd::batch<T> load(void* first, slot_place p) {
        if constexpr (along_row) return simd::load_as<T>(at(first, p));
        else if constexpr (of_pairs) return simd::batch<T>(T(0));
        else return simd::batch<T>(static_cast<T>(*at(first, p)));
    }
    XGRAD_KERNEL static simd::batch<T> load_partial(void* first, slot_place p, std::size_t n) {
        if constexpr (along_row) return simd::load_partial_as<T>(at(first, p), n, T(1));
        else return load(first, p);
    }
    XGRAD_KERNEL static void store([[maybe_unused]] void* first, [[maybe_unused]] slot_place p, [[maybe_unused]] simd::batch<T> x) {
        if constexpr (Scope == per::element) simd::store_as(at(first, p), x);
    }
    XGRAD_KERNEL static void store_partial(
        [[maybe_unused]] void* first, [[maybe_unused]] slot_place p, [[maybe_unused]] simd::batch<T> x, [[maybe_unused]] std::size_t n) {
        if constexpr (Scope == per::element) simd::store_partial_as(at(first, p), x, n);
    }
    /// The value for a body that updates the slots of scope Moved: 0, unless this slot has that scope or is per variable.
    template<per Moved>
    XGRAD_KERNEL static T number(void* first, slot_place p) {
        return Scope == Moved || Scope == per::variable ? static_cast<T>(*at(first, p)) : T(0);
    }
    template<per Moved>
    XGRAD_KERNEL static void put(void* first, slot_place p, T x) {
        if constexpr (Scope == Moved) *at(first, p) = narrow_to<M>(x);
    }
    XGRAD_KERNEL static void prefetch([[maybe_unused]] void* first, [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t row,
        [[maybe_unused]] std::int64_t step) {
        if constexpr (Scope == per::element) prefetch_row(static_cast<M*>(first) + r * step, row);
        else if constexpr (Scope == per::row) simd::prefetch_write(static_cast<M*>(first) + r);
    }
};
}   // namespace detail

/// The type in memory of slot K of a variable of T.
template<class Rule, class T, std::size_t K>
using slot_memory = cpp_type_t<rule_slots<Rule>[K].type_for(dtype_of<T>)>;

/// The addresses of a variable's slots, held by value.
/// Read through a pointer to pointers, they would be loaded again after every store of a T.
template<class Rule, class T, class Slots = std::make_index_sequence<static_cast<std::size_t>(slot_count<Rule>)>>
class slot_pointers;
template<class Rule, class T, std::size_t... K>
class slot_pointers<Rule, T, std::index_sequence<K...>> {
    template<std::size_t S>
    using access = detail::slot_access<T, slot_memory<Rule, T, S>, rule_slots<Rule>[S].scope>;
    using batch = simd::batch<T>;

public:
    static constexpr int count = sizeof...(K), buffers = count == 0 ? 1 : count;
    void* at[buffers];

    template<class Slot>
    XGRAD_KERNEL explicit slot_pointers([[maybe_unused]] Slot* const* slots) : at{} {
        ((at[K] = slots[K]), ...);
    }
    /// All slots of the elements from p on. For n < width elements the missing lanes are 1, so that no rule divides by zero there.
    XGRAD_KERNEL void load([[maybe_unused]] batch* slot, [[maybe_unused]] slot_place p) const {
        ((slot[K] = access<K>::load(at[K], p)), ...);
    }
    XGRAD_KERNEL void load_partial([[maybe_unused]] batch* slot, [[maybe_unused]] slot_place p, [[maybe_unused]] std::size_t n) const {
        ((slot[K] = access<K>::load_partial(at[K], p, n)), ...);
    }
    /// The slots that are the same for all elements of a row. They are read once per row:
    /// for the compiler, any store of a T might change them.
    XGRAD_KERNEL void load_fixed([[maybe_unused]] batch* slot, [[maybe_unused]] slot_place p) const {
        ((access<K>::along_row ? void() : void(slot[K] = access<K>::load(at[K], p))), ...);
    }
    /// The other slots, along the row.
    XGRAD_KERNEL void load_along([[maybe_unused]] batch* slot, [[maybe_unused]] slot_place p) const {
        ((access<K>::along_row ? void(slot[K] = access<K>::load(at[K], p)) : void()), ...);
    }
    XGRAD_KERNEL void load_along_partial(
        [[maybe_unused]] batch* slot, [[maybe_unused]] slot_place p, [[maybe_unused]] std::size_t n) const {
        ((access<K>::along_row ? void(slot[K] = access<K>::load_partial(at[K], p, n)) : void()), ...);
    }
    /// Writes the slots per element.
    XGRAD_KERNEL void store([[maybe_unused]] batch const* slot, [[maybe_unused]] slot_place p) const {
        (access<K>::store(at[K], p, slot[K]), ...);
    }
    XGRAD_KERNEL void store_partial(
        [[maybe_unused]] batch const* slot, [[maybe_unused]] slot_place p, [[maybe_unused]] std::size_t n) const {
        (access<K>::store_partial(at[K], p, slot[K], n), ...);
    }
    /// Sets the slots that are not per element to 0.
    XGRAD_KERNEL static void keep_elements([[maybe_unused]] batch* slot) {
        ((rule_slots<Rule>[K].scope != per::element ? void(slot[K] = batch(T(0))) : void()), ...);
    }
    /// The numbers of one row or column, and those of the variable. The others are 0.
    template<per Moved>
    XGRAD_KERNEL void load_numbers([[maybe_unused]] T* slot, [[maybe_unused]] slot_place p) const {
        ((slot[K] = access<K>::template number<Moved>(at[K], p)), ...);
    }
    template<per Moved>
    XGRAD_KERNEL void store_numbers([[maybe_unused]] T const* slot, [[maybe_unused]] slot_place p) const {
        (access<K>::template put<Moved>(at[K], p, slot[K]), ...);
    }
    /// Prefetches the slots of row r. It has `row` elements; rows are `step` elements apart.
    XGRAD_KERNEL void prefetch(
        [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t row, [[maybe_unused]] std::int64_t step) const {
        (access<K>::prefetch(at[K], r, row, step), ...);
    }
    /// For a rule on single elements: the slots of the elements from `elements` on.
    XGRAD_KERNEL slot_pointers operator+([[maybe_unused]] std::int64_t elements) const {
        slot_pointers moved = *this;
        ((moved.at[K] = access<K>::at(at[K], {elements})), ...);
        return moved;
    }
    /// Copies n elements of each slot, from element `from` on, to element `to` of other slots.
    template<class Copy>
    XGRAD_KERNEL void copy_to([[maybe_unused]] slot_pointers const& other, [[maybe_unused]] std::int64_t to,
        [[maybe_unused]] std::int64_t from, [[maybe_unused]] std::int64_t n) const {
        (Copy::run(access<K>::at(other.at[K], {to}), static_cast<slot_memory<Rule, T, K> const*>(access<K>::at(at[K], {from})), n), ...);
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
