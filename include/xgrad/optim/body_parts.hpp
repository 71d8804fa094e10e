// SPDX-License-Identifier: MIT
// Shared pieces of the bodies of rules and transforms.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/math.hpp>

XGRAD_NAMESPACE_BEGIN

/// The `scalars` of a rule or transform whose body needs one number per apply: `template<class T> using scalars = xg::one_scalar<T>;`.
template<class T>
struct one_scalar {
    T value;
};

namespace detail {
/// The value of a slot that begins as the parameter. Such a slot is NaN before the first step of its element.
template<class V>
XGRAD_INLINE V begun(V slot, V param) {
    return math::where(math::equal(slot, slot), slot, param);
}
/// `then` where x is finite, else `other`. Infinity and NaN are found by x − x, which is NaN for both.
template<class V>
XGRAD_INLINE V where_finite(V x, V then, V other) {
    V const none = x - x;
    return math::where(math::equal(none, none), then, other);
}
/// max(x, least); NaN stays NaN.
template<class V>
XGRAD_INLINE V at_least(V x, V least) {
    return math::where(math::less_equal(x, least), least, x);
}
/// x · max_norm / max(norm, max_norm).
template<class V>
XGRAD_INLINE V bounded(V x, V norm, V max_norm) {
    return x * max_norm / math::where(math::greater(max_norm, norm), max_norm, norm);   // NaN of the norm stays NaN
}
/// `up` where gradient and mean have the same sign, `down` where the signs differ, `none` where the mean is 0. NaN of
/// the mean stays NaN.
/// The result for a gradient of 0 is not specified: callers multiply it by the gradient.
/// copysign needs one comparison with zero less than the product of both would.
template<class V>
XGRAD_INLINE V by_agreement(V grad, V mean, V up, V down, V none) {
    V const along = math::copysign(V(1), grad) * mean;
    return math::select(along > V(0), up, math::select(along < V(0), down, none + along));
}
/// Moves the first and second moment of Adam-like rules. The scalars need one_minus_beta1 and one_minus_beta2.
template<class S, class V>
XGRAD_INLINE void move_moments(S const& s, V grad, V* slot) {
    slot[0] = slot[0] + (grad - slot[0]) * V(s.one_minus_beta1);
    slot[1] = slot[1] + (grad * grad - slot[1]) * V(s.one_minus_beta2);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
