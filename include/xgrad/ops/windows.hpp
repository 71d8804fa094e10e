// SPDX-License-Identifier: MIT
// Slices whose beginning is computed, slices with negative steps, and sequences that are reversed up to their length.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/arrange.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Where a window of `length` elements begins in an axis of n: a negative start counts from the end, then the window is moved
/// inside.
XGRAD_INLINE std::int64_t window_start(std::int64_t start, std::int64_t n, std::int64_t length) {
    return std::clamp(start < 0 ? start + n : start, std::int64_t{0}, n - length);
}
/// Elements in one entry of the first axis.
template<int R>
std::int64_t row_size(std::int64_t const* array) {
    std::int64_t n = 1;
    for (int a = 1; a < R; ++a) n *= array[a];
    return n;
}
/// Calls `copy(in, out, count)` for the pieces without gaps of a window, where `in` counts elements of the array and `out`
/// those of the window. Only rows first ... last − 1 of the window's first axis are visited.
template<int R, class I>
void each_piece(std::int64_t const* array, std::int64_t const* window, I const* starts, std::int64_t first, std::int64_t last, auto copy) {
    std::int64_t distance[R], place = 0;   // of neighbours along an axis of the array
    int inner = 0;                         // the last axis of which the window has only a part
    for (int a = R - 1; a >= 0; --a) {
        distance[a] = a == R - 1 ? 1 : distance[a + 1] * array[a + 1];
        if (inner == 0 && window[a] != array[a]) inner = a;
        place += window_start(static_cast<std::int64_t>(starts[a]), array[a], window[a]) * distance[a];
    }
    std::int64_t const row = row_size<R>(window);
    if (row == 0 || first >= last) return;
    if (inner == 0) {   // rows follow each other in both
        copy(place + first * distance[0], first * row, (last - first) * row);
        return;
    }
    std::int64_t const piece = window[inner] * distance[inner];
    for (std::int64_t n = first; n < last; ++n) {
        std::int64_t at[R]{}, in = place + n * distance[0];
        for (std::int64_t out = n * row; out < (n + 1) * row; out += piece) {
            copy(in, out, piece);
            for (int a = inner - 1; a > 0; --a) {   // to the next piece
                in += distance[a];
                if (++at[a] < window[a]) break;
                in -= at[a] * distance[a];
                at[a] = 0;
            }
        }
    }
}
/// The pieces of a window that are in rows first ... last − 1 of the array.
template<int R, class I>
void each_piece_in_rows(
    std::int64_t const* array, std::int64_t const* window, I const* starts, std::int64_t first, std::int64_t last, auto copy) {
    std::int64_t const place = window_start(static_cast<std::int64_t>(starts[0]), array[0], window[0]);
    each_piece<R>(array, window, starts, std::max(std::int64_t{0}, first - place), std::min(window[0], last - place), copy);
}
constexpr fault window_fault(value_info const& array, shape const& window, value_info const& starts) {
    if (array.dims.rank < 1 || window.rank != array.dims.rank) return fault::rank;
    if (!is_integer(starts.type)) return fault::not_integer;
    if (starts.dims.rank != 1 || !(starts.dims.extents[0] == static_extent(array.dims.rank))) return fault::inner;
    for (int i = 0; i < window.rank; ++i) {
        extent const &n = array.dims.extents[i], &length = window.extents[i];
        bool const known = n.is_static() && length.is_static();
        if (!(n == length) && !(known && length.constant <= n.constant)) return fault::shapes;
    }
    return fault::none;
}
/// Operands: an array, and the place of the window, a vector with an integer for each axis. Attributes: the window's shape.
struct dynamic_slice : kernel_op {
    static constexpr std::string_view name = "dynamic_slice";
    static constexpr bool in_order = true;
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        return {v[0].type, a.target(), window_fault(v[0], a.target(), v[1])};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(2).extents[0]; }
    template<class T, class I, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> x, tensor_view<I const, 1> starts, tensor_view<T, R> y) {
        each_piece<R>(x.shape().data(), y.shape().data(), starts.data(), part.first, part.last,
            [&](std::int64_t in, std::int64_t out, std::int64_t n) { std::copy_n(x.data() + in, n, y.data() + out); });
    }
    static constexpr void derive(derivation& d);
};
/// Operands: a window, and its place. Attributes: the shape of the array, which is zero elsewhere.
struct window_in_zeros : kernel_op {
    static constexpr std::string_view name = "window_in_zeros";
    static constexpr bool in_order = true;
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        return {v[0].type, a.target(), window_fault({v[0].type, a.target(), fault::none}, v[0].dims, v[1])};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(2).extents[0]; }
    template<class T, class I, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> window, tensor_view<I const, 1> starts, tensor_view<T, R> y) {
        std::int64_t const row = row_size<R>(y.shape().data());
        std::fill(y.data() + part.first * row, y.data() + part.last * row, T(0));
        each_piece_in_rows<R>(y.shape().data(), window.shape().data(), starts.data(), part.first, part.last,
            [&](std::int64_t in, std::int64_t out, std::int64_t n) { std::copy_n(window.data() + out, n, y.data() + in); });
    }
    static constexpr void derive(derivation& d) {
        d.out[0] = apply_with<dynamic_slice>(shape_attributes(d.info(0).dims), d.gradient, d.operands[1]);
    }
};
constexpr void dynamic_slice::derive(derivation& d) {
    d.out[0] = apply_with<window_in_zeros>(shape_attributes(d.info(0).dims), d.gradient, d.operands[1]);
}
/// Operands: an array, the window that replaces a part of it, and its place.
struct dynamic_update_slice : kernel_op {
    static constexpr std::string_view name = "dynamic_update_slice";
    static constexpr bool in_order = true;
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.wrong = v[0].type == v[1].type ? window_fault(v[0], v[1].dims, v[2]) : fault::dtypes;
        return r;
    }
    template<class T, class I, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> x, tensor_view<T const, R> window, tensor_view<I const, 1> starts,
        tensor_view<T, R> y) {
        std::int64_t const row = row_size<R>(y.shape().data());
        std::copy(x.data() + part.first * row, x.data() + part.last * row, y.data() + part.first * row);
        each_piece_in_rows<R>(y.shape().data(), window.shape().data(), starts.data(), part.first, part.last,
            [&](std::int64_t in, std::int64_t out, std::int64_t n) { std::copy_n(window.data() + out, n, y.data() + in); });
    }
    static constexpr void derive(derivation& d) {
        shape const& window = d.info(1).dims;
        d.out[0] = apply<dynamic_update_slice>(d.gradient, zeros_of(d, window), d.operands[2]);
        d.out[1] = apply_with<dynamic_slice>(shape_attributes(window), d.gradient, d.operands[2]);
    }
};
/// Operands: x [a, m, b, n, c], and lengths. Either m counts sequences and n their elements, or the other way round.
struct reverse_sequence : kernel_op {
    struct attributes {
        flag elements_first, unused;
    };
    static constexpr std::string_view name = "reverse_sequence";
    static constexpr bool in_order = true;
    static constexpr bool half_operands = true;
    static constexpr int flops = 0;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[0]; }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(0).extents[0] * v.dims(0).extents[1]; }
    template<class T, class I>
    static void run(
        attributes const& how, kernel_part const& part, tensor_view<T const, 5> x, tensor_view<I const, 1> lengths, tensor_view<T, 5> y) {
        std::int64_t const m = x.shape(1), b = x.shape(2), n = x.shape(3), c = x.shape(4), row = b * n * c;
        auto length = [&](std::int64_t s, std::int64_t most) {
            return std::clamp(static_cast<std::int64_t>(lengths[s]), std::int64_t{0}, most);
        };
        for (std::int64_t p = part.first; p < part.last; ++p) {
            T* out = y.data() + p * row;
            if (!how.elements_first) {
                std::int64_t const reversed = length(p % m, n);
                for (std::int64_t k = 0; k < b; ++k, out += n * c) {
                    T const* const in = x.data() + p * row + k * n * c;
                    if (c == 1) std::reverse_copy(in, in + reversed, out);
                    else
                        for (std::int64_t t = 0; t < reversed; ++t) std::copy_n(in + (reversed - 1 - t) * c, c, out + t * c);
                    std::copy(in + reversed * c, in + n * c, out + reversed * c);
                }
            } else {
                std::int64_t const t = p % m;
                T const* const in = x.data() + p / m * m * row;
                for (std::int64_t k = 0; k < b; ++k)
                    for (std::int64_t s = 0; s < n; ++s, out += c) {
                        std::int64_t const reversed = length(s, m), from = t < reversed ? reversed - 1 - t : t;
                        std::copy_n(in + from * row + (k * n + s) * c, c, out);
                    }
            }
        }
    }
    static constexpr void derive(derivation& d) { d.out[0] = apply_with<reverse_sequence>(*d.attrs, d.gradient, d.operands[1]); }
};
}

namespace detail {
enum class window_slip { none, no_expression, wrong, rank, sizes, starts, integers, types, axis, step, bounds, lengths };
template<class... S>
constexpr bool are_starts(int rank) {
    bool const vector = sizeof...(S) == 1 && ((value_of<S>.dims.rank == 1 && value_of<S>.dims.extents[0] == static_extent(rank)) && ...);
    return vector || (static_cast<int>(sizeof...(S)) == rank && ((value_of<S>.dims.rank == 0) && ...));
}
/// X has a window of shape W at the starts S.
template<class X, class... S>
constexpr window_slip slip_of_window(shape const& w, bool sizes = true) {
    if constexpr (!(Expr<X> && ... && Expr<S>)) return window_slip::no_expression;
    else {
        value_info const& x = value_of<X>;
        if (x.wrong != fault::none || ((value_of<S>.wrong != fault::none) || ...)) return window_slip::wrong;
        if (x.dims.rank < 1) return window_slip::rank;
        if (!((is_integer(value_of<S>.type) || value_of<S>.type == dtype::literal) && ...)) return window_slip::integers;
        if (!are_starts<S...>(x.dims.rank)) return window_slip::starts;
        value_info const starts{dtype::int32, {1, {static_extent(x.dims.rank)}}, fault::none};
        return sizes && op::window_fault(x, w, starts) == fault::none ? window_slip::none : window_slip::sizes;
    }
}
template<window_slip Slip>
constexpr void check_starts() {
    static_assert(Slip != window_slip::rank,
        "xgrad: dynamic_slice<sizes...>(x, starts...) or dynamic_update_slice(x, update, starts...) gets one number as x, which has no axis; "
        "write expand_dims<0>(x)");
    static_assert(Slip != window_slip::integers,
        "xgrad: a start of dynamic_slice<sizes...>(x, starts...) or dynamic_update_slice(x, update, starts...) is not an integer; write "
        "cast<std::int32_t>(start)");
    static_assert(Slip != window_slip::starts,
        "xgrad: dynamic_slice<sizes...>(x, starts...) or dynamic_update_slice(x, update, starts...) gets another number of starts than x has "
        "axes; write 0_c for an axis");
}
/// The starts as one vector of integers of one type.
template<class First, class... S>
constexpr auto starts_together(First const& first, S const&... rest) {
    constexpr bool wide = ((value_of<First>.type == dtype::int64) || ... || (value_of<S>.type == dtype::int64));
    using I = std::conditional_t<wide, std::int64_t, std::int32_t>;
    if constexpr (value_of<First>.dims.rank == 1) return first;
    else if constexpr (sizeof...(S) == 0) return expand_dims<0>(cast<I>(first));
    else return stack<0>(cast<I>(first), cast<I>(rest)...);
}
}

/// The part of x with the shape Sizes... that begins at `starts`: `dynamic_slice<1, 4>(x, row, 0_c)`. A start is an integer
/// expression for each axis, or all are one vector. A negative start counts from the end. Then each start is moved so that
/// the part is inside (JAX's dynamic_slice). A size is an integer up to the extent, or equal to an extent that is a named
/// dimension.
/// Gradient: of x, g at the part, zero elsewhere; of the starts none.
template<auto... Sizes, class A, class... S>
constexpr auto dynamic_slice(A const& x, S const&... starts) {
    using detail::window_slip;
    constexpr bool sizes = sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= max_rank && detail::are_extents<Sizes...>;
    constexpr window_slip slip = detail::slip_of_window<A, S...>(make_shape<Sizes...>(), sizes);
    detail::check_starts<slip>();
    static_assert(slip != window_slip::sizes,
        "xgrad::dynamic_slice<sizes...>(x, starts...): the sizes are not one for each axis, each at most its extent or equal to its named "
        "dimension; write such sizes");
    if constexpr (slip == window_slip::no_expression) return detail::refuse_operand<A, S...>();
    else if constexpr (slip != window_slip::none) return detail::refused{};
    else return apply<detail::with_shape<op::dynamic_slice, make_shape<Sizes...>()>>(x, detail::starts_together(starts...));
}
/// x with `update` in place of a part of its shape, which begins at `starts`: `dynamic_update_slice(cache, row, position, 0_c)`.
/// Starts are those of dynamic_slice: a part that would be outside is moved inside (JAX's dynamic_update_slice). x is copied.
/// Gradient: of x, g with zeros at the part; of the update, the part of g; of the starts none.
template<class A, class B, class... S>
constexpr auto dynamic_update_slice(A const& x, B const& update, S const&... starts) {
    using detail::window_slip;
    constexpr auto slip = [] {
        if constexpr (!(Expr<B> && (Expr<A> && ... && Expr<S>))) return window_slip::no_expression;
        else if constexpr (value_of<B>.wrong != fault::none) return window_slip::wrong;
        else {
            constexpr window_slip of_window = detail::slip_of_window<A, S...>(value_of<B>.dims);
            return of_window == window_slip::none && value_of<A>.type != value_of<B>.type ? window_slip::types : of_window;
        }
    }();
    detail::check_starts<slip>();
    static_assert(slip != window_slip::sizes,
        "xgrad::dynamic_update_slice(x, update, starts...): the update does not have the rank of x, or is longer along an axis; reshape or slice it");
    static_assert(slip != window_slip::types,
        "xgrad::dynamic_update_slice(x, update, starts...): x and the update differ in element type; write cast<float>(update)");
    if constexpr (slip == window_slip::no_expression) return detail::refuse_operand<A, B, S...>();
    else if constexpr (slip != window_slip::none) return detail::refused{};
    else return apply<op::dynamic_update_slice>(x, update, detail::starts_together(starts...));
}
namespace detail {
template<class A>
constexpr window_slip slip_of_strides(int which, extent const& begin, extent const& end, std::int64_t step) {
    if constexpr (!Expr<A>) return window_slip::no_expression;
    else {
        int const axis = axis_from_start<A>(which);
        if (value_of<A>.wrong != fault::none) return window_slip::wrong;
        if (axis < 0) return window_slip::axis;
        if (step == 0) return window_slip::step;
        extent const n = value_of<A>.dims.extents[axis], one = static_extent(1);
        extent const up[]{begin, end - begin, n - end}, down[]{end + one, begin - end, n - one - begin};
        for (extent const& e : step > 0 ? up : down)
            if (e.is_static() && e.constant < 0) return window_slip::bounds;
        return window_slip::none;
    }
}
}
/// Elements Begin, Begin + Step, ... along an axis, up to before End. With a negative Step they go down: `strided_slice<0, 5, -1,
/// -2>(x)` is 5, 3, 1. Then −1 <= End <= Begin < extent must hold, and −1 means the beginning. A positive Step is
/// that of slice. The bounds are integers or extents such as `time - 1`.
/// Gradient: g at the elements of the slice, zero elsewhere.
template<int Axis, auto Begin, auto End, std::int64_t Step, class A>
constexpr auto strided_slice(A const& x) {
    using detail::window_slip;
    constexpr extent begin = detail::extent_of_argument<Begin>(), end = detail::extent_of_argument<End>(), one = static_extent(1);
    constexpr window_slip slip = detail::slip_of_strides<A>(Axis, begin, end, Step);
    static_assert(slip != window_slip::axis,
        "xgrad::strided_slice<axis, begin, end, step>(x): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(
        slip != window_slip::step, "xgrad::strided_slice<axis, begin, end, step>(x): step is 0; write a positive or a negative integer");
    static_assert(slip != window_slip::bounds,
        "xgrad::strided_slice<axis, begin, end, step>(x): begin or end is outside of the axis, or they are exchanged; with a negative step "
        "write -1 <= end <= begin < extent");
    if constexpr (slip == window_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != window_slip::none) return detail::refused{};
    else if constexpr (Step > 0) return slice<Axis, Begin, End, Step>(x);
    else {
        constexpr int axis = detail::axis_from_start<A>(Axis);
        if constexpr (begin.is_static() && end.is_static() && begin.constant > end.constant) {
            constexpr std::int64_t lowest = begin.constant + (begin.constant - end.constant - 1) / -Step * Step;
            return flip<axis>(slice<axis, lowest, begin.constant + 1, -Step>(x));
        } else return slice<axis, static_extent(0), begin - end, -Step>(flip<axis>(slice<axis, end + one, begin + one>(x)));
    }
}

namespace detail {
template<int Elements, int Sequences, class A, class L>
constexpr window_slip slip_of_sequences() {
    if constexpr (!Expr<A> || !Expr<L>) return window_slip::no_expression;
    else {
        if (value_of<A>.wrong != fault::none || value_of<L>.wrong != fault::none) return window_slip::wrong;
        int const elements = axis_from_start<A>(Elements), sequences = axis_from_start<A>(Sequences);
        if (elements < 0 || sequences < 0 || elements == sequences) return window_slip::axis;
        if (!is_integer(value_of<L>.type)) return window_slip::integers;
        bool const each = value_of<L>.dims.rank == 1 && value_of<L>.dims.extents[0] == value_of<A>.dims.extents[sequences];
        return each ? window_slip::none : window_slip::lengths;
    }
}
/// s as [before, first, between, second, after].
constexpr shape around_two_axes(shape const& s, int first, int second) {
    extent const one = static_extent(1);
    shape r{5, {one, s.extents[first], one, s.extents[second], one}};
    for (int i = 0; i < s.rank; ++i) {
        extent& e = r.extents[i < first ? 0 : i < second ? 2 : 4];
        if (i != first && i != second) e = e * s.extents[i];
    }
    return r;
}
}
/// Sequences, each reversed up to its length; the elements after it stay: `reverse_sequence<1, 0>(x, lengths)` of x [batch, time,
/// ...]. Elements is the axis of the elements of a sequence, Sequences that of the sequences. Lengths [sequences] are int32
/// or int64. One below 0 counts as 0, and one above the extent as the extent (TensorFlow's reverse_sequence).
/// Gradient: of x, g reversed in the same way; of the lengths none.
template<int Elements, int Sequences = 0, class A, class L>
constexpr auto reverse_sequence(A const& x, L const& lengths) {
    using detail::window_slip;
    constexpr window_slip slip = detail::slip_of_sequences<Elements, Sequences, A, L>();
    static_assert(slip != window_slip::axis,
        "xgrad::reverse_sequence<elements, sequences>(x, lengths): an axis does not exist in x, or both are one axis; write two axes of x");
    static_assert(slip != window_slip::integers,
        "xgrad::reverse_sequence<elements, sequences>(x, lengths): lengths are not integers; write cast<std::int32_t>(lengths)");
    static_assert(slip != window_slip::lengths,
        "xgrad::reverse_sequence<elements, sequences>(x, lengths): lengths are not one number for each sequence; give lengths [sequences]");
    if constexpr (slip == window_slip::no_expression) return detail::refuse_operand<A, L>();
    else if constexpr (slip != window_slip::none) return detail::refused{};
    else {
        constexpr int elements = detail::axis_from_start<A>(Elements), sequences = detail::axis_from_start<A>(Sequences);
        constexpr shape s = value_of<A>.dims;
        constexpr shape wide =
            detail::around_two_axes(s, elements < sequences ? elements : sequences, elements < sequences ? sequences : elements);
        constexpr op::reverse_sequence::attributes how{elements < sequences, false};
        return detail::reshaped_to<s>(apply<with<op::reverse_sequence, how>>(detail::reshaped_to<wide>(x), lengths));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
