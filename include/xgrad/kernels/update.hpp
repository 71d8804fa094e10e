// SPDX-License-Identifier: MIT
// Applies an update rule to a run of parameters in one loop.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/rule_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// What a rule needs once per apply, in the dtype of the variable.
template<class Rule, class T>
using rule_scalars = typename Rule::template scalars<T>;

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
    template<std::size_t K>
    XGRAD_INLINE simd::batch<T> batch_at(std::int64_t i, std::int64_t r, std::int64_t j) const {
        if constexpr (scope<K> == per::element) {
            return simd::load_as<T>(first<K>() + i);
        } else if constexpr (scope<K> == per::column) {
            return simd::load_as<T>(first<K>() + j);
        } else {
            return simd::batch<T>(static_cast<T>(first<K>()[scope<K> == per::row ? r : 0]));
        }
    }
    template<std::size_t K>
    XGRAD_INLINE simd::batch<T> part_at(std::int64_t i, std::int64_t r, std::int64_t j, std::size_t n) const {
        if constexpr (scope<K> == per::element) {
            return simd::load_partial_as<T>(first<K>() + i, n, T(1));
        } else if constexpr (scope<K> == per::column) {
            return simd::load_partial_as<T>(first<K>() + j, n, T(1));
        } else {
            return batch_at<K>(i, r, j);
        }
    }
    template<std::size_t... K>
    XGRAD_INLINE void load(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T>* slot, [[maybe_unused]] std::int64_t i,
        [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t j) const {
        ((slot[K] = batch_at<K>(i, r, j)), ...);
    }
    template<std::size_t... K>
    XGRAD_INLINE void load_partial(std::index_sequence<K...>, [[maybe_unused]] simd::batch<T>* slot, [[maybe_unused]] std::size_t n,
        [[maybe_unused]] std::int64_t i, [[maybe_unused]] std::int64_t r, [[maybe_unused]] std::int64_t j) const {
        ((slot[K] = part_at<K>(i, r, j, n)), ...);
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
        load(all{}, slot, i, r, j);
    }
    /// The same of n < width elements: the missing lanes are 1, so that no rule divides by zero there.
    XGRAD_INLINE void load_partial(simd::batch<T>* slot, std::size_t n, std::int64_t i, std::int64_t r = 0, std::int64_t j = 0) const {
        load_partial(all{}, slot, n, i, r, j);
    }
    /// Writes those that each element has alone.
    XGRAD_INLINE void store(simd::batch<T> const* slot, std::int64_t i) const { store(all{}, slot, i); }
    XGRAD_INLINE void store_partial(simd::batch<T> const* slot, std::int64_t i, std::size_t n) const { store_partial(all{}, slot, i, n); }
    /// Of a rule that moves elements: the slots of the elements from `elements` on.
    XGRAD_INLINE slot_pointers operator+(std::int64_t elements) const {
        slot_pointers moved = *this;
        moved.move(all{}, elements);
        return moved;
    }
};

/// One batch: the body on the elements i .. i + width − 1, for a gradient that is still in registers.
template<class Rule, class T>
XGRAD_INLINE void update_batch(
    rule_scalars<Rule, T> const& s, T* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i) {
    simd::batch<T> slot[slot_pointers<Rule, T>::buffers];
    slots.load(slot, i);
    simd::batch<T> p = simd::load(param + i);
    Rule::update(s, p, grad, slot);
    simd::store(param + i, p);
    slots.store(slot, i);
}

/// The same on n < width elements.
template<class Rule, class T>
XGRAD_INLINE void update_tail(
    rule_scalars<Rule, T> const& s, T* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i, std::size_t n) {
    simd::batch<T> slot[slot_pointers<Rule, T>::buffers];
    slots.load_partial(slot, n, i);
    simd::batch<T> p = simd::load_partial(param + i, n);
    Rule::update(s, p, grad, slot);
    simd::store_partial(param + i, p, n);
    slots.store_partial(slot, i, n);
}
/// param, slots ← rule(param, grad, slots) on n elements in one pass: each array is read once and written once. For rules that move elements.
/// The arrays must not overlap; any alignment. The SIMD body serves the tail too, on padded lanes. `slots` are pointers to T, or to void where a slot
/// has another type in memory.
template<class Rule, class T, class Slot>
void update_dense(rule_scalars<Rule, T> const& scalars, T* param, T const* grad, Slot* const* slots, std::int64_t n) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> const s = scalars;   // a copy: no store of a T can change it
    slot_pointers<Rule, T> const at(slots);
    std::int64_t i = 0;
    for (; i + 2 * width <= n; i += 2 * width) {
        simd::batch<T> const first = simd::load(grad + i), second = simd::load(grad + i + width);
        update_batch<Rule, T>(s, param, first, at, i);
        update_batch<Rule, T>(s, param, second, at, i + width);
    }
    if (i + width <= n) {
        update_batch<Rule, T>(s, param, simd::load(grad + i), at, i);
        i += width;
    }
    if (i < n) {
        auto const rest = static_cast<std::size_t>(n - i);
        update_tail<Rule, T>(s, param, simd::load_partial(grad + i, rest), at, i, rest);
    }
}

/// The same with a gradient of zeros that is stored nowhere: what an exact rule does to rows without a gradient.
template<class Rule, class T, class Slot>
void update_idle(rule_scalars<Rule, T> const& scalars, T* param, Slot* const* slots, std::int64_t n) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> const s = scalars;
    slot_pointers<Rule, T> const at(slots);
    simd::batch<T> const zero(T(0));
    std::int64_t i = 0;
    for (; i + width <= n; i += width) { update_batch<Rule, T>(s, param, zero, at, i); }
    if (i < n) { update_tail<Rule, T>(s, param, zero, at, i, static_cast<std::size_t>(n - i)); }
}

}   // namespace kernels
XGRAD_NAMESPACE_END
