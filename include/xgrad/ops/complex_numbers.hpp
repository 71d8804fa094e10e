// SPDX-License-Identifier: MIT
// Complex numbers as pairs of expressions: how they are made and read.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/trigonometric.hpp>

#include <complex>

XGRAD_NAMESPACE_BEGIN

/// An expression of complex numbers: the types of its real and of its imaginary part.
template<Expr Re, Expr Im>
struct complex_expression {
    using complex_parts = void;
    using real_part = Re;
    using imag_part = Im;
};

namespace detail {
template<class Z>
using real_part_of = typename std::remove_cvref_t<Z>::real_part;
template<class Z>
using imag_part_of = typename std::remove_cvref_t<Z>::imag_part;
/// The operands of operators and functions that have a complex operand; the others are real.
template<class... A>
concept ComplexOperands = (Complex<A> || ...) && ((Complex<A> || Expr<std::remove_cvref_t<A>>)&&...);

template<class A, class B>
constexpr bool are_parts() {
    if constexpr (!Expr<A> || !Expr<B>) return false;
    else return value_of<A>.type == value_of<B>.type && is_floating(value_of<A>.type) && value_of<A>.dims == value_of<B>.dims;
}
}

/// re + i im, of two expressions of the same shape, in float or double (TensorFlow's complex). `complex(re)` has no
/// imaginary part. + − * / take complex and real operands; abs, square, sqrt, exp, log, equal, not_equal, matmul,
/// sum, mean, reshape, expand_dims, squeeze, broadcast_to, transpose, slice, concat and stop_gradient take them too.
/// Gradient: of each part its gradient. `complex(gradient_of(loss, re), gradient_of(loss, im))` is the gradient that
/// TensorFlow and PyTorch have.
template<class A, class B>
constexpr auto complex([[maybe_unused]] A const& re, [[maybe_unused]] B const& im) {
    constexpr bool parts = detail::are_parts<A, B>() || !Expr<A> || !Expr<B>;
    static_assert(parts,
        "xgrad::complex(re, im): re and im differ in shape or element type, or are neither float nor double; write broadcast_to or "
        "cast<float>(x)");
    if constexpr (!Expr<A> || !Expr<B>) return detail::refuse_operand<A, B>();
    else if constexpr (!parts) return detail::refused{};
    else return complex_expression<A, B>{};
}
/// Real numbers as complex ones.
/// Gradient: that of the real parts.
template<class A>
constexpr auto complex(A const& re) {
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else return complex(re, detail::repeated_to<value_of<A>.dims>(cast<cpp_type_t<value_of<A>.type>>(literal<0>{})));
}
/// The real parts.
/// Gradient: g of the real parts.
template<class Re, class Im>
constexpr auto real([[maybe_unused]] complex_expression<Re, Im> const& z) {
    return Re{};
}
/// The imaginary parts.
/// Gradient: g of the imaginary parts.
template<class Re, class Im>
constexpr auto imag([[maybe_unused]] complex_expression<Re, Im> const& z) {
    return Im{};
}
/// re − i im.
/// Gradient: g of the real parts, −g of the imaginary ones.
template<class Re, class Im>
constexpr auto conj([[maybe_unused]] complex_expression<Re, Im> const& z) {
    return complex(Re{}, -Im{});
}
/// The angle in radians, between −π and π: atan2(im, re).
/// Gradient: that of atan2.
template<class Re, class Im>
constexpr auto angle([[maybe_unused]] complex_expression<Re, Im> const& z) {
    return atan2(Im{}, Re{});
}
/// Numbers in memory as complex ones: x [..., 2] has the parts side by side, like std::complex (PyTorch's
/// view_as_complex).
/// Gradient: g, side by side.
template<class A>
constexpr auto view_as_complex(A const& x) {
    constexpr bool pairs = [] {
        if constexpr (!Expr<A>) return true;
        else {
            shape const& s = value_of<A>.dims;
            return value_of<A>.wrong != fault::none || (s.rank > 0 && s.extents[s.rank - 1] == static_extent(2));
        }
    }();
    static_assert(pairs, "xgrad::view_as_complex(x): the last axis of x does not have the extent 2; write complex(re, im)");
    if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else if constexpr (!pairs || value_of<A>.wrong != fault::none) return detail::refused{};
    else {
        auto const [re, im] = unstack<-1>(x);
        return complex(re, im);
    }
}
/// The parts side by side, [..., 2], the memory of std::complex (PyTorch's view_as_real).
/// Gradient: of each part its half of g.
template<class Re, class Im>
constexpr auto view_as_real([[maybe_unused]] complex_expression<Re, Im> const& z) {
    return stack<-1>(Re{}, Im{});
}
namespace detail {
template<class T, class... N>
constexpr auto complex_span(std::span<std::complex<T> const> z, N... extents) {
    return array(std::span(reinterpret_cast<T const*>(z.data()), 2 * z.size()), extents..., 2);
}
}
/// An array of std::complex as an argument of a call, for an input [extents..., 2]: `f(x = complex_array(z, 3))`. Nothing is
/// copied. Throws shape_error if the number of elements differs.
/// Gradient: none.
template<class C, class... N>
    requires requires(C const& z) { std::span<typename C::value_type const>(z), typename C::value_type::value_type(); }
constexpr auto complex_array(C const& z, N... extents) {
    return detail::complex_span(std::span<typename C::value_type const>(z), extents...);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
