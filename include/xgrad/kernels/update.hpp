// SPDX-License-Identifier: MIT
// Applies an update rule to a run of parameters in one loop.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {

/// What a rule needs once per apply, in the dtype of the variable.
template<class Rule, class T>
using rule_scalars = typename Rule::template scalars<T>;

/// Number of slots of a rule.
template<class Rule>
inline constexpr int rule_slots = static_cast<int>(std::tuple_size<std::remove_cvref_t<decltype(Rule::slots)>>::value);

/// The slot pointers of a rule by value: what is read through `T* const*` would be read again after every store of a T.
template<class Rule, class T>
struct slot_pointers {
    static constexpr int count = rule_slots<Rule>;
    T* at[count == 0 ? 1 : count];

    XGRAD_INLINE explicit slot_pointers(T* const* slots) {
        for (int k = 0; k < count; ++k) { at[k] = slots[k]; }
    }
};

/// One batch: the body on the elements i .. i + width − 1, for a gradient that is still in registers.
template<class Rule, class T>
XGRAD_INLINE void update_batch(
    rule_scalars<Rule, T> const& s, T* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i) {
    using pointers = slot_pointers<Rule, T>;
    simd::batch<T> slot[pointers::count == 0 ? 1 : pointers::count];
    for (int k = 0; k < pointers::count; ++k) { slot[k] = simd::load(slots.at[k] + i); }
    simd::batch<T> p = simd::load(param + i);
    Rule::update(s, p, grad, slot);
    simd::store(param + i, p);
    for (int k = 0; k < pointers::count; ++k) { simd::store(slots.at[k] + i, slot[k]); }
}

/// The same on n < width elements: the missing lanes hold parameter 0 and slots 1, so that no rule divides by zero there.
template<class Rule, class T>
XGRAD_INLINE void update_tail(
    rule_scalars<Rule, T> const& s, T* param, simd::batch<T> grad, slot_pointers<Rule, T> const& slots, std::int64_t i, std::size_t n) {
    using pointers = slot_pointers<Rule, T>;
    simd::batch<T> slot[pointers::count == 0 ? 1 : pointers::count];
    for (int k = 0; k < pointers::count; ++k) { slot[k] = simd::load_partial(slots.at[k] + i, n, T(1)); }
    simd::batch<T> p = simd::load_partial(param + i, n);
    Rule::update(s, p, grad, slot);
    simd::store_partial(param + i, p, n);
    for (int k = 0; k < pointers::count; ++k) { simd::store_partial(slots.at[k] + i, slot[k], n); }
}
/// param, slots ← rule(param, grad, slots) on n elements in one pass: 4 bytes read per array and element, each written once.
/// The arrays must not overlap; any alignment. The SIMD body serves the tail too, on padded lanes.
template<class Rule, class T>
void update_dense(rule_scalars<Rule, T> const& scalars, T* param, T const* grad, T* const* slots, std::int64_t n) noexcept {
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
template<class Rule, class T>
void update_idle(rule_scalars<Rule, T> const& scalars, T* param, T* const* slots, std::int64_t n) noexcept {
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
