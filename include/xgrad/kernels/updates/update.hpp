// SPDX-License-Identifier: MIT
// Applies an update rule to contiguous parameters in one loop.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/updates/slot_pointers.hpp>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// The values that a rule needs once per step, in the type in which it computes.
template<class Rule, class T>
using rule_scalars = typename Rule::template scalars<T>;

/// Updates one batch, the elements i .. i + width - 1, with a gradient in registers.
template<class Rule, class T, class M>
XGRAD_KERNEL void update_batch(
    rule_scalars<Rule, T> const& s, M* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i) {
    simd::batch<T> slot[slot_pointers<Rule, T>::buffers];
    slots.load(slot, {i});
    simd::batch<T> p = simd::load_as<T>(param + i);
    Rule::update(s, p, grad, slot);
    simd::store_as(param + i, p);
    slots.store(slot, {i});
}

/// The same for n < width elements.
template<class Rule, class T, class M>
XGRAD_KERNEL void update_tail(
    rule_scalars<Rule, T> const& s, M* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i, std::size_t n) {
    simd::batch<T> slot[slot_pointers<Rule, T>::buffers];
    slots.load_partial(slot, {i}, n);
    simd::batch<T> p = simd::load_partial_as<T>(param + i, n);
    Rule::update(s, p, grad, slot);
    simd::store_partial_as(param + i, p, n);
    slots.store_partial(slot, {i}, n);
}

/// param, slots = rule(param, grad, slots) on n elements in one pass: each array is read once and written once. For rules on single
/// elements. A parameter with another type in memory is rounded once, when it is written. The arrays must not overlap; any alignment is
/// allowed. The SIMD body also runs the tail, on padded lanes. `slots` are pointers to T, or to void if a slot has another type in memory.
template<class Rule, class T, class M, class Slot>
void update_dense(rule_scalars<Rule, T> const& scalars, M* param, T const* grad, Slot* const* slots, std::int64_t n) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> s = scalars;   // a copy: no store of a T can change it
    if constexpr (requires { Rule::present_row(s); }) s = Rule::present_row(s);
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

/// The same with a gradient of zeros that is not stored: the effect of an exact rule on rows without a gradient.
template<class Rule, class T, class M, class Slot>
void update_idle(rule_scalars<Rule, T> const& scalars, M* param, Slot* const* slots, std::int64_t n) noexcept {
    constexpr std::int64_t width = static_cast<std::int64_t>(simd::width<T>);
    rule_scalars<Rule, T> const s = scalars;
    slot_pointers<Rule, T> const at(slots);
    simd::batch<T> const zero(T(0));
    std::int64_t i = 0;
    for (; i + width <= n; i += width) update_batch<Rule, T>(s, param, zero, at, i);
    if (i < n) update_tail<Rule, T>(s, param, zero, at, i, static_cast<std::size_t>(n - i));
}

}   // namespace kernels
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
