// SPDX-License-Identifier: MIT
// Numbers at equal ratios, and matrices of ones below a diagonal.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arithmetic.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

/// N numbers from 10 to the power `start` to 10 to the power `end`, at equal ratios: `logspace<4>(0_c, 3_c)` is 1, 10, 100, 1000. N and the
/// ends are those of linspace (NumPy's logspace).
/// Gradient: that of linspace and of the power.
template<auto N, Element T = float, class A, class B>
constexpr auto logspace(A const& start, B const& end) {
    auto const powers = linspace<N, T>(start, end);
    if constexpr (value_of<decltype(powers)>.wrong != fault::none) return detail::refused{};
    else return pow(constant<cpp_type_t<value_of<decltype(powers)>.type>, 10>, powers);
}
/// A matrix [N, M] of ones on the diagonal and below, zeros above, as float or T. `tri<4, 4, 1>()` has ones on the diagonal above too
/// (NumPy's tri(n, m, k)). N and M are integers or named dimensions. Without M it is [N, N].
/// Gradient: none.
template<auto N, auto M = N, int Diagonal = 0, Element T = float>
constexpr auto tri() {
    constexpr bool extents = detail::are_extents<N, M>;
    static_assert(extents, "xgrad::tri<n, m, diagonal>(): n or m is not an integer of at least 0, or a named dimension; write tri<4>()");
    if constexpr (!extents) return detail::refused{};
    else {
        constexpr shape s = make_shape<N, M>();
        return cast<T>(less_equal(
            detail::places_along<s.extents[1], 2, 1>(), detail::places_along<s.extents[0], 2, 0>() + detail::whole_number<Diagonal>));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
