// SPDX-License-Identifier: MIT
// The order of rows by several keys.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/sort.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class First, class... Rest>
constexpr int lexsort_slip() {   // 0: none, 1: no expression, 2: wrong, 3: no axis, 4: shapes, 5: bool
    if constexpr (!Expr<First> || !(Expr<Rest> && ...)) return 1;
    else {
        if (value_of<First>.wrong != fault::none || ((value_of<Rest>.wrong != fault::none) || ...)) return 2;
        if (value_of<First>.dims.rank == 0) return 3;
        if (!((value_of<Rest>.dims == value_of<First>.dims) && ...)) return 4;
        return value_of<First>.type == dtype::boolean || ((value_of<Rest>.type == dtype::boolean) || ...) ? 5 : 0;
    }
}
/// The order so far, sorted by one more key. Sorting is stable, so the last key decides first.
template<class I, class K, class... Rest>
constexpr auto ordered_by(I const& order, K const& key, Rest const&... rest) {
    auto const next = take_along_axis<-1>(order, argsort(take_along_axis<-1>(key, order)));
    if constexpr (sizeof...(Rest) == 0) return next;
    else return ordered_by(next, rest...);
}
}

/// The positions along the last axis in the order of several keys of one shape, int32 (NumPy's lexsort): `lexsort(second, first)`. The last
/// key decides; where its elements are equal, the key before it does. Elements that are equal in all keys keep their order, and NaN comes
/// last. The keys are numbers of any types.
/// Gradient: none.
template<class K, class... Rest>
constexpr auto lexsort(K const& key, Rest const&... rest) {
    constexpr int slip = detail::lexsort_slip<K, Rest...>();
    static_assert(slip != 3, "xgrad::lexsort(keys...): the keys are single numbers and have no axis; write expand_dims<0>(x)");
    static_assert(slip != 4, "xgrad::lexsort(keys...): the keys have different shapes; write broadcast_to");
    static_assert(slip != 5, "xgrad::lexsort(keys...): a key is bool; write cast<std::int32_t>(x)");
    if constexpr (slip == 1) return detail::refuse_operand<K, Rest...>();
    else if constexpr (slip != 0) return detail::refused{};
    else if constexpr (sizeof...(Rest) == 0) return argsort(key);
    else return detail::ordered_by(argsort(key), rest...);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
