// SPDX-License-Identifier: MIT
// Reads and writes the slots of a variable, whatever they are in memory, as batches and numbers of the type in which the rule computes.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/rule_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// Asks for a row of n elements that will be written.
template<class T>
XGRAD_INLINE void prefetch_row(T const* p, std::int64_t n) {
    constexpr std::int64_t line = 64 / sizeof(T);
    for (std::int64_t e = 0; e < n; e += line) { simd::prefetch_write(p + e); }
    simd::prefetch_write(p + n - 1);   // rows need not begin with a cache line
}

/// What slot K of a variable of T is in memory.
template<class Rule, class T, std::size_t K>
using slot_memory = cpp_type_t<rule_slots<Rule>[K].type_for(dtype_of<T>)>;

/// Where the slots of a variable lie, by value: what is read through a pointer to pointers would be read again after every store of a T.
/// Elements are counted from 0, or as operator+ has moved them.
template<class Rule, class T>
class slot_pointers {
    template<std::size_t K>
    static constexpr per scope = rule_slots<Rule>[K].scope;
    template<std::size_t K>
    XGRAD_INLINE slot_memory<Rule, T, K>* first() const {
        return static_cast<slot_memory<Rule, T, K>*>(at[K]);
    }
    // The number that element i has at column j of row r.
    template<bool ElementsOnly, std::size_t K>
    XGRAD_INLINE simd::batch<T> batch_at(std::int64_t i, std::int64_t r, std::int64_t j) const {
        if constexpr (ElementsOnly && scope<K> != per::element) {
            return simd::batch<T>(T(0));
        } else if constexpr (scope<K> == per::element) {
            return simd::load_as<T>(first<K>() + i);
        } else if constexpr (scope<K> == per::column) {
            return simd::load_as<T>(first<K>() + j);
        } else {
            return simd::batch<T>(static_cast<T>(first<K>()[scope<K> == per::row ? r : 0]));
        }
    }
    template<bool ElementsOnly, std::size_t K>
    XGRAD_INLINE simd::batch<T> part_at(std::int64_t i, std::int64_t r, std::int64_t j, std::size_t n) const {
        if constexpr (ElementsOnly && scope<K> != per::element) {
            return simd::batch<T>(T(0));
        } else if constexpr (scope<K> == per::element) {
            return simd::load_partial_as<T>(first<K>() + i, n, T(1));
        } else if constexpr (scope<K> == per::column) {
            return simd::load_partial_as<T>(first<K>() + j, n, T(1));
        } else {
            return batch_at<ElementsOnly, K>(i, r, j);
        }
    }
    template<bool ElementsOnly, std::size_t... K>
    XGRAD_INLINE void load(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T>* slot, [[maybe_unused]] std::int64_t i,
        [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t j) const {
        ((slot[K] = batch_at<ElementsOnly, K>(i, r, j)), ...);
    }
    template<bool ElementsOnly, std::size_t... K>
    XGRAD_INLINE void load_partial(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T>* slot, [[maybe_unused]] std::size_t n,
        [[maybe_unused]] std::int64_t i, [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t j) const {
        ((slot[K] = part_at<ElementsOnly, K>(i, r, j, n)), ...);
    }
    template<std::size_t K>
    XGRAD_INLINE void store_one([[maybe_unused]] simd::batch<T> x, [[maybe_unused]] std::int64_t i) const {
        if constexpr (scope<K> == per::element) { simd::store_as(first<K>() + i, x); }
    }
    template<std::size_t K>
    XGRAD_INLINE void store_part([[maybe_unused]] simd::batch<T> x, [[maybe_unused]] std::int64_t i, [[maybe_unused]] std::size_t n) const {
        if constexpr (scope<K> == per::element) { simd::store_partial_as(first<K>() + i, x, n); }
    }
    template<std::size_t... K>
    XGRAD_INLINE void store(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T> const* slot, [[maybe_unused]] std::int64_t i) const {
        (store_one<K>(slot[K], i), ...);
    }
    template<std::size_t... K>
    XGRAD_INLINE void store_partial(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T> const* slot, [[maybe_unused]] std::int64_t i,
        [[maybe_unused]] std::size_t n) const {
        (store_part<K>(slot[K], i, n), ...);
    }
    template<per Scope, std::size_t K>
    XGRAD_INLINE T number_at([[maybe_unused]] std::int64_t n) const {
        if constexpr (scope<K> == Scope || scope<K> == per::variable) {
            return static_cast<T>(first<K>()[scope<K> == per::variable ? 0 : n]);
        } else {
            return T(0);
        }
    }
    template<per Scope, std::size_t K>
    XGRAD_INLINE void put_number([[maybe_unused]] T x, [[maybe_unused]] std::int64_t n) const {
        using memory = slot_memory<Rule, T, K>;
        using rounded = std::conditional_t<xgrad::detail::is_half_type<memory>, float, memory>;
        if constexpr (scope<K> == Scope) { first<K>()[n] = static_cast<memory>(static_cast<rounded>(x)); }
    }
    template<per Scope, std::size_t... K>
    XGRAD_INLINE void load_numbers(std::index_sequence<K...>, [[maybe_unused]] T* slot, [[maybe_unused]] std::int64_t n) const {
        ((slot[K] = number_at<Scope, K>(n)), ...);
    }
    template<per Scope, std::size_t... K>
    XGRAD_INLINE void store_numbers(std::index_sequence<K...>, [[maybe_unused]] T const* slot, [[maybe_unused]] std::int64_t n) const {
        (put_number<Scope, K>(slot[K], n), ...);
    }
    template<std::size_t K>
    XGRAD_INLINE void prefetch_one([[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t row) const {
        if constexpr (scope<K> == per::element) {
            prefetch_row(first<K>() + r * row, row);
        } else if constexpr (scope<K> == per::row) {
            simd::prefetch_write(first<K>() + r);
        }
    }
    template<std::size_t... K>
    XGRAD_INLINE void prefetch(std::index_sequence<K...>, [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t row) const {
        (prefetch_one<K>(r, row), ...);
    }
    template<std::size_t... K>
    XGRAD_INLINE void move(std::index_sequence<K...>, [[maybe_unused]] std::int64_t elements) {
        ((at[K] = first<K>() + elements), ...);
    }
    using all = std::make_index_sequence<static_cast<std::size_t>(slot_count<Rule>)>;

public:
    static constexpr int count = slot_count<Rule>, buffers = count == 0 ? 1 : count;
    void* at[buffers];

    template<class Slot>
    XGRAD_INLINE explicit slot_pointers([[maybe_unused]] Slot* const* slots) : at{} {
        for (int k = 0; k < count; ++k) { at[k] = slots[k]; }
    }
    /// Slots for element i and those behind it: what it has alone, what its row r has, its column j, the variable.
    XGRAD_INLINE void load(simd::batch<T>* slot, std::int64_t i, std::int64_t r = 0, std::int64_t j = 0) const {
        load<false>(all{}, slot, i, r, j);
    }
    /// The same of n < width elements: the missing lanes are 1, so that no rule divides by zero there.
    XGRAD_INLINE void load_partial(simd::batch<T>* slot, std::size_t n, std::int64_t i, std::int64_t r = 0, std::int64_t j = 0) const {
        load_partial<false>(all{}, slot, n, i, r, j);
    }
    /// Those that each element has alone; the others are 0.
    XGRAD_INLINE void load_elements(simd::batch<T>* slot, std::int64_t i) const { load<true>(all{}, slot, i, 0, 0); }
    XGRAD_INLINE void load_elements_partial(simd::batch<T>* slot, std::size_t n, std::int64_t i) const {
        load_partial<true>(all{}, slot, n, i, 0, 0);
    }
    /// Writes those that each element has alone.
    XGRAD_INLINE void store(simd::batch<T> const* slot, std::int64_t i) const { store(all{}, slot, i); }
    XGRAD_INLINE void store_partial(simd::batch<T> const* slot, std::int64_t i, std::size_t n) const { store_partial(all{}, slot, i, n); }
    /// The n-th number of each slot of a scope, and those of the variable; the others are 0.
    template<per Scope>
    XGRAD_INLINE void load_numbers(T* slot, std::int64_t n) const {
        load_numbers<Scope>(all{}, slot, n);
    }
    /// Writes those of the scope.
    template<per Scope>
    XGRAD_INLINE void store_numbers(T const* slot, std::int64_t n) const {
        store_numbers<Scope>(all{}, slot, n);
    }
    /// Asks for what row r of `row` elements has.
    XGRAD_INLINE void prefetch(std::int64_t r, std::int64_t row) const { prefetch(all{}, r, row); }
    /// Of a rule that moves elements: the slots of the elements from `elements` on.
    XGRAD_INLINE slot_pointers operator+(std::int64_t elements) const {
        slot_pointers moved = *this;
        moved.move(all{}, elements);
        return moved;
    }
};

}   // namespace kernels
XGRAD_NAMESPACE_END
