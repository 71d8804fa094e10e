// SPDX-License-Identifier: MIT
// Discrete Fourier transforms over several axes, the order of their frequencies, and transforms of overlapping parts of a signal.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/complex/fft.hpp>
#include <xgrad/ops/index/take.hpp>
#include <xgrad/ops/shapes/axes.hpp>
#include <xgrad/ops/shapes/fill.hpp>

XGRAD_NAMESPACE_BEGIN

/// The form of a window: periodic for transforms (PyTorch's and SciPy's), or symmetric (NumPy's hanning and hamming).
enum class window_form { periodic, symmetric };

namespace detail {
enum class fft_axes_slip { none, no_expression, wrong, type, axis, frame };
/// Of the real part of a complex operand, or of a real one.
template<class A, int... Axes>
constexpr fft_axes_slip fft_axes_slip_of(bool floating) {
    if constexpr (!Expr<A>) return fft_axes_slip::no_expression;
    else {
        value_info const& v = value_of<A>;
        if (v.wrong != fault::none) return fft_axes_slip::wrong;
        if (floating && !is_floating(v.type)) return fft_axes_slip::type;
        axis_set seen{};
        bool exist = sizeof...(Axes) <= max_rank;
        (
            [&] {
                int const axis = Axes < 0 ? Axes + v.dims.rank : Axes;
                if (axis < 0 || axis >= v.dims.rank || seen.has(axis)) exist = false;
                else seen.add(axis);
            }(),
            ...);
        return exist ? fft_axes_slip::none : fft_axes_slip::axis;
    }
}
template<bool Inverse, class Z>
constexpr auto transform_last(Z const& z) {
    if constexpr (Inverse) return xgrad::ifft(z);
    else return xgrad::fft(z);
}
template<bool Inverse, int Axis, class Z>
constexpr auto transform_axis(Z const& z) {
    constexpr int rank = value_of<real_part_of<Z>>.dims.rank, axis = Axis < 0 ? Axis + rank : Axis;
    if constexpr (axis == rank - 1) return transform_last<Inverse>(z);
    else {
        auto const y = transform_last<Inverse>(complex(moveaxis<axis, -1>(real(z)), moveaxis<axis, -1>(imag(z))));
        return complex(moveaxis<-1, axis>(real(y)), moveaxis<-1, axis>(imag(y)));
    }
}
template<bool Inverse, int First, int... Rest, class Z>
constexpr auto transform_axes(Z const& z) {
    if constexpr (sizeof...(Rest) == 0) return transform_axis<Inverse, First>(z);
    else return transform_axes<Inverse, Rest...>(transform_axis<Inverse, First>(z));
}
/// All axes if none is named.
template<bool Inverse, int... Axes, class Z>
constexpr auto transform_named(Z const& z) {
    if constexpr (sizeof...(Axes) > 0) return transform_axes<Inverse, Axes...>(z);
    else
        return []<int... I>(auto const& y, std::integer_sequence<int, I...>) {
            return transform_axes<Inverse, (static_cast<int>(sizeof...(I)) - 1 - I)...>(y);
        }(z, std::make_integer_sequence<int, value_of<real_part_of<Z>>.dims.rank>{});
}
template<bool Inverse, int... Axes, class Z>
constexpr auto several_transformed(Z const& z) {
    using A = typename parts_of<Z>::type;
    constexpr auto slip = fft_axes_slip_of<A, Axes...>(true);
    static_assert(
        slip != fft_axes_slip::type, "xgrad::fftn<axes...>(z), fft2(z): z is neither complex nor float nor double; write cast<float>(z)");
    static_assert(slip != fft_axes_slip::axis,
        "xgrad::fftn<axes...>(z), fft2(z), rfft2(x): an axis is outside of -rank ... rank-1 or is there twice; write axes of z, for fft2 at "
        "least two");
    if constexpr (slip == fft_axes_slip::no_expression) return refuse_operand<Z>();
    else if constexpr (slip != fft_axes_slip::none) return refused{};
    else if constexpr (value_of<A>.dims.rank == 0) return as_complex(z);
    else return transform_named<Inverse, Axes...>(as_complex(z));
}
/// The halves of an axis exchanged: the part from `h` on comes first, where h is half the extent, rounded up or down.
template<bool Up, int Axis, class Z>
constexpr auto axis_shifted(Z const& z) {
    using A = typename parts_of<Z>::type;
    constexpr extent n = value_of<A>.dims.extents[Axis], h = (Up ? n + static_extent(1) : n) / 2;
    if constexpr (n.is_static() && n.constant < 2) return z;
    else return concat<Axis>(slice<Axis, h, n>(z), slice<Axis, static_extent(0), h>(z));
}
template<bool Up, int First, int... Rest, class Z>
constexpr auto axes_shifted(Z const& z) {
    using A = typename parts_of<Z>::type;
    constexpr int axis = First < 0 ? First + value_of<A>.dims.rank : First;
    if constexpr (sizeof...(Rest) == 0) return axis_shifted<Up, axis>(z);
    else return axes_shifted<Up, Rest...>(axis_shifted<Up, axis>(z));
}
template<bool Up, int... Axes, class Z>
constexpr auto shifted(Z const& z) {
    using A = typename parts_of<Z>::type;
    constexpr auto slip = fft_axes_slip_of<A, Axes...>(false);
    static_assert(slip != fft_axes_slip::axis,
        "xgrad::fftshift<axes...>(z), ifftshift<axes...>(z): an axis is outside of -rank ... rank-1 or is there twice; write axes of z");
    if constexpr (slip == fft_axes_slip::no_expression) return refuse_operand<Z>();
    else if constexpr (slip != fft_axes_slip::none) return refused{};
    else if constexpr (sizeof...(Axes) > 0) return axes_shifted<Up, Axes...>(z);
    else if constexpr (value_of<A>.dims.rank == 0) return z;
    else
        return []<int... I>(auto const& y, std::integer_sequence<int, I...>) { return axes_shifted<Up, I...>(y); }(
                   z, std::make_integer_sequence<int, value_of<A>.dims.rank>{});
}
/// a − b cos(2πk / m) for k < N, where m is N or N − 1. One element is 1.
template<auto N, class T, window_form Form, class A>
constexpr auto cosine_window(A const& a) {
    using namespace literals;
    constexpr bool length = are_extents<N> && (std::is_same_v<T, float> || std::is_same_v<T, double>);
    static_assert(length,
        "xgrad::hann_window<n, T>(), hamming_window<n, T>(): n is no integer of at least 0 or named dimension, or T neither float nor double; "
        "write hann_window<256>()");
    if constexpr (!length) return refused{};
    else {
        constexpr extent n = make_shape<N>().extents[0];
        if constexpr (n.is_static() && n.constant <= 1) return ones<T, N>();
        else {
            auto const turn = 6.283185307179586476925_c * cast<T>(positions_along<n>{});
            auto const whole = extent_as<n, T>();
            if constexpr (Form == window_form::periodic) return select(equal(whole, 1_c), 1_c, a - (1_c - a) * cos(turn / whole));
            else return select(equal(whole, 1_c), 1_c, a - (1_c - a) * cos(turn / maximum(whole - 1_c, 1_c)));
        }
    }
}
}

/// The transform over several axes, one after the other: `fftn<0, 2>(z)`, all axes if none is named. z is complex, or real numbers in
/// float or double (NumPy's fft.fftn). Other axes than the last one are transposed for it.
/// Gradient: its transposed conjugate, ifftn(g) times the number of elements.
template<int... Axes, class Z>
constexpr auto fftn(Z const& z) {
    return detail::several_transformed<false, Axes...>(z);
}
/// The inverse of fftn: `ifftn<0, 2>(z)`, all axes if none is named.
/// Gradient: fftn(g) divided by the number of elements.
template<int... Axes, class Z>
constexpr auto ifftn(Z const& z) {
    return detail::several_transformed<true, Axes...>(z);
}
/// The transform over the last two axes (NumPy's fft.fft2): `fftn<-1, -2>(z)`.
/// Gradient: that of fftn.
template<class Z>
constexpr auto fft2(Z const& z) {
    return detail::several_transformed<false, -1, -2>(z);
}
/// The inverse of fft2.
/// Gradient: that of ifftn.
template<class Z>
constexpr auto ifft2(Z const& z) {
    return detail::several_transformed<true, -2, -1>(z);
}
/// The terms 0 ... n/2 along the last axis of the transform of real numbers over the last two axes: complex [..., m, n/2 + 1] of
/// [..., m, n] (NumPy's fft.rfft2).
/// Gradient: that of rfft and of fft.
template<class A>
constexpr auto rfft2(A const& x) {
    constexpr auto slip = detail::fft_axes_slip_of<A, -1, -2>(false);
    static_assert(slip != detail::fft_axes_slip::axis, "xgrad::rfft2(x): x has fewer than two axes; write rfft(x) for one");
    if constexpr (slip == detail::fft_axes_slip::axis) return detail::refused{};
    else {
        auto const half = rfft(x);
        if constexpr (!Complex<decltype(half)>) return half;
        else return detail::transform_axis<false, -2>(half);
    }
}
/// The inverse of rfft2: real numbers [..., m, N] of [..., m, N/2 + 1] (NumPy's fft.irfft2). N is an integer or a named dimension.
/// Gradient: that of ifft and of irfft.
template<auto N, class Z>
constexpr auto irfft2(Z const& z) {
    constexpr bool fits = [] {
        if constexpr (Complex<Z>) return value_of<detail::real_part_of<Z>>.dims.rank >= 2;
        else return std::is_same_v<Z, detail::refused>;
    }();
    static_assert(fits, "xgrad::irfft2<n>(z): z is not complex or has fewer than two axes; write irfft2<n>(rfft2(x)), or irfft<n>(z)");
    if constexpr (!fits || !Complex<Z>) return detail::refused{};
    else return irfft<N>(detail::transform_axis<true, -2>(z));
}
/// The frequency 0 in the middle: the halves of each axis exchanged, all axes if none is named. z is complex or real (NumPy's
/// fft.fftshift).
/// Gradient: ifftshift(g).
template<int... Axes, class Z>
constexpr auto fftshift(Z const& z) {
    return detail::shifted<true, Axes...>(z);
}
/// The inverse of fftshift. Both are the same for even extents.
/// Gradient: fftshift(g).
template<int... Axes, class Z>
constexpr auto ifftshift(Z const& z) {
    return detail::shifted<false, Axes...>(z);
}
/// The frequencies of the terms of a transform of length N, as float or T (NumPy's fft.fftfreq). They are 0, 1, ..., −2, −1, divided by
/// N. For a distance d of the samples divide by it.
/// Gradient: none.
template<auto N, Element T = float>
constexpr auto fftfreq() {
    constexpr bool length = detail::are_extents<N>;
    static_assert(
        length, "xgrad::fftfreq<n>(), rfftfreq<n>(): n is not an integer of at least 0, or a named dimension; write fftfreq<256>()");
    if constexpr (!length) return detail::refused{};
    else {
        constexpr extent n = make_shape<N>().extents[0], half = (n + static_extent(1)) / 2;
        constexpr detail::positions_along<n> place{};
        auto const whole = detail::extent_as<n, std::int32_t>();
        return cast<T>(select(less(place, detail::extent_as<half, std::int32_t>()), place, place - whole)) / cast<T>(whole);
    }
}
/// The frequencies of the terms of rfft: 0, 1, ..., N/2 divided by N, as float or T (NumPy's fft.rfftfreq).
/// Gradient: none.
template<auto N, Element T = float>
constexpr auto rfftfreq() {
    constexpr bool length = detail::are_extents<N>;
    static_assert(
        length, "xgrad::fftfreq<n>(), rfftfreq<n>(): n is not an integer of at least 0, or a named dimension; write fftfreq<256>()");
    if constexpr (!length) return detail::refused{};
    else {
        constexpr extent n = make_shape<N>().extents[0];
        return cast<T>(detail::positions_along<n / 2 + static_extent(1)>{}) / cast<T>(detail::extent_as<n, std::int32_t>());
    }
}
/// Hann's window of N elements, ½ − ½ cos(2πk / N), as float or T. `hann_window<N, float, window_form::symmetric>()` divides by N − 1
/// (NumPy's hanning). The periodic one is PyTorch's; TensorFlow's is symmetric for odd N. One element is 1.
/// Gradient: none.
template<auto N, Element T = float, window_form Form = window_form::periodic>
constexpr auto hann_window() {
    using namespace literals;
    return detail::cosine_window<N, T, Form>(0.5_c);
}
/// Hamming's window of N elements, 0.54 − 0.46 cos(2πk / N), with the forms of hann_window.
/// Gradient: none.
template<auto N, Element T = float, window_form Form = window_form::periodic>
constexpr auto hamming_window() {
    using namespace literals;
    return detail::cosine_window<N, T, Form>(0.54_c);
}

namespace detail {
template<std::int64_t Length, std::int64_t Step, class A>
constexpr fft_axes_slip frame_slip_of() {
    if constexpr (!Expr<A>) return fft_axes_slip::no_expression;
    else {
        shape const& s = value_of<A>.dims;
        if (value_of<A>.wrong != fault::none) return fft_axes_slip::wrong;
        if (s.rank == 0 || s.rank >= max_rank) return fft_axes_slip::axis;
        extent const& n = s.extents[s.rank - 1];
        return Length < 1 || Step < 1 || !n.is_static() || n.constant < Length ? fft_axes_slip::frame : fft_axes_slip::none;
    }
}
}
/// Overlapping parts of the last axis: [..., frames, Length] of [..., n], one each Step elements, 1 + (n − Length) / Step of them
/// (TensorFlow's signal.frame). The last axis has an integer extent of at least Length. Elements after the last whole frame are omitted.
/// Gradient: the sum of g over the frames that have the element.
template<std::int64_t Length, std::int64_t Step, class A>
constexpr auto frame(A const& x) {
    using detail::fft_axes_slip;
    constexpr auto slip = detail::frame_slip_of<Length, Step, A>();
    static_assert(
        slip != fft_axes_slip::axis, "xgrad::frame<length, step>(x), stft<length, step>(x): x has no axis, or six; write reshape");
    static_assert(slip != fft_axes_slip::frame,
        "xgrad::frame<length, step>(x), stft<length, step>(x): length or step is below 1, or the last extent of x is named or shorter than "
        "length; write pad");
    if constexpr (slip == fft_axes_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != fft_axes_slip::none) return detail::refused{};
    else {
        constexpr std::int64_t frames = 1 + (detail::extent_from_end<A>(1).constant - Length) / Step;
        auto const first = expand_dims<-1>(detail::positions_along<static_extent(frames)>{} * constant<std::int32_t, Step>);
        return take<value_of<A>.dims.rank - 1>(x, first + detail::positions_along<static_extent(Length)>{});
    }
}
/// The transforms of overlapping parts, the short-time Fourier transform: rfft(frame<Length, Step>(x) * window) with a periodic Hann
/// window, complex [..., frames, Length/2 + 1] (TensorFlow's signal.stft with fft_length = Length). Nothing is padded.
/// Gradient: that of rfft, of the product and of frame.
template<std::int64_t Length, std::int64_t Step, class A>
constexpr auto stft(A const& x) {
    auto const parts = frame<Length, Step>(x);
    if constexpr (std::is_same_v<decltype(parts), detail::refused const>) return detail::refused{};
    else if constexpr (!is_floating(value_of<A>.type)) return rfft(parts);   // says the mistake
    else return rfft(parts * hann_window<Length, cpp_type_t<value_of<A>.type>>());
}
/// The same with another window of Length elements: `stft<256, 128>(x, ones<256>())`.
/// Gradient: that of the window too.
template<std::int64_t Length, std::int64_t Step, class A, class W>
constexpr auto stft(A const& x, W const& weights) {
    auto const parts = frame<Length, Step>(x);
    if constexpr (std::is_same_v<decltype(parts), detail::refused const>) return detail::refused{};
    else return rfft(parts * weights);
}
// catches stft(x, 256, 128)
template<class A, class L, class S>
constexpr auto stft(A const&, L const&, S const&) {
    static_assert(detail::never<A>, "xgrad::stft<length, step>(x): length and step stand between parentheses; write stft<256, 128>(x)");
    return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
