// SPDX-License-Identifier: MIT
// A part of an axis, and parts joined along an axis: slice, concat.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
struct slice {
    using attributes = slice_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r = v[0];
        int const axis = a.as<attributes>().axis;
        if (axis < 0 || axis >= r.dims.rank) return {v[0].type, {}, fault::axis};
        extent const &begin = slice_begin(a), &span = slice_span(a);
        // Bounds with named dimensions are checked by each call.
        for (extent const& e : {begin, span, r.dims.extents[axis] - begin - span})
            if (e.is_static() && e.constant < 0) return {v[0].type, {}, fault::shapes};
        r.dims.extents[axis] = slice_length(a);
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("slice", op_kind::slice, infer, derive); }
};
/// A slice with its bounds as the user wrote them.
template<int Axis, auto Begin, auto End, std::int64_t Step, bool Checked>
struct slice_by {};
struct concat {
    using attributes = axis_attributes;
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a) {
        value_info r = v[0];
        auto const axis = static_cast<int>(a.as<attributes>().axis);
        if (axis < 0 || axis >= r.dims.rank) return {v[0].type, {}, fault::axis};
        for (int k = 1; k < count; ++k) {
            if (v[k].type != r.type) return {v[0].type, {}, fault::dtypes};
            if (v[k].dims.rank != r.dims.rank) return {v[0].type, {}, fault::rank};
            for (int i = 0; i < r.dims.rank; ++i)
                if (i != axis && !(v[k].dims.extents[i] == r.dims.extents[i])) return {v[0].type, {}, fault::shapes};
            r.dims.extents[axis] = r.dims.extents[axis] + v[k].dims.extents[axis];
        }
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("concat", op_kind::concat, infer, derive); }
};
}

template<int Axis, auto Begin, auto End, std::int64_t Step, bool Checked>
struct detail::op_traits<op::slice_by<Axis, Begin, End, Step, Checked>> {
    using op = op::slice;
    static constexpr extent begin = extent_of_argument<Begin>(), span = extent_of_argument<End>() - begin;
    static constexpr extent bounds[]{begin, (span + static_extent(Step - 1)) / Step, span};
    static constexpr auto words = to_words(slice_attributes{Axis, Checked, Step});
    static constexpr attributes attrs = words.view(bounds, 3);
};

/// Elements Begin, Begin + Step, ... below End along an axis, like NumPy's x[begin:end:step]:
/// `slice<1, 0, time, 2>(x)`. The bounds are integers or extents (`time - 1`), and the step is at least 1. 0 <= Begin
/// <= End <= extent must hold. If that depends on named dimensions, each call checks it (shape_error).
/// Gradient: g at the elements of the slice, zero elsewhere.
template<int Axis, auto Begin, auto End, std::int64_t Step = 1, class A>
constexpr auto slice(A const& x) {
    static_assert(Step >= 1, "xgrad::slice<axis, begin, end, step>(x): step is not an integer of at least 1; write 1, or a larger integer");
    if constexpr (Step < 1) return detail::refused{};
    else if constexpr (Expr<A>) {
        constexpr int axis = Axis < 0 ? Axis + value_of<A>.dims.rank : Axis;
        constexpr extent begin = detail::extent_of_argument<Begin>(), end = detail::extent_of_argument<End>();
        constexpr bool known = begin.is_static() && end.is_static() &&
                               (axis < 0 || axis >= value_of<A>.dims.rank || value_of<A>.dims.extents[axis].is_static());
        using O = op::slice_by<axis, extent_argument(Begin), extent_argument(End), Step, !known>;
        constexpr fault f = detail::fault_of<O, A>();
        static_assert(
            f != fault::axis, "xgrad::slice<axis, begin, end>(x): axis is outside of -rank ... rank-1; write an axis in this range");
        static_assert(f != fault::shapes,
            "xgrad::slice<axis, begin, end>(x): begin or end is outside of the axis, or they are exchanged; write 0 <= begin <= "
            "end <= extent");
        return apply<O>(x);
    } else return apply<op::slice_by<Axis, Begin, End, Step, true>>(x);
}
/// Joins operands along an axis: `concat<1>(a, b)`. All other extents must be equal.
/// Gradient: of each operand, its slice of g.
template<int Axis, class A, class... B>
constexpr auto concat(A const& first, B const&... rest) {
    static_assert(sizeof...(B) < max_operands, "xgrad::concat<axis>(...): more than 32 operands are given; join groups of them first");
    if constexpr (sizeof...(B) >= max_operands) return detail::refused{};
    else if constexpr (Expr<A>) {
        constexpr int axis = Axis < 0 ? Axis + value_of<A>.dims.rank : Axis;
        constexpr fault f = detail::fault_of<with<op::concat, axis_attributes{axis}>, A, B...>();
        static_assert(f != fault::dtypes, "xgrad::concat<axis>(...): operands have different element types; write cast<float>(x)");
        static_assert(f != fault::rank, "xgrad::concat<axis>(...): operands have different ranks; write expand_dims or reshape");
        static_assert(
            f != fault::axis, "xgrad::concat<axis>(...): axis is outside of -rank ... rank-1 of the operands; write an axis in this range");
        static_assert(f != fault::shapes,
            "xgrad::concat<axis>(...): operands differ in an extent of another axis; write slice, reshape or broadcast_to");
        return apply<with<op::concat, axis_attributes{axis}>>(first, rest...);
    } else return apply<with<op::concat, axis_attributes{Axis}>>(first, rest...);
}

namespace detail {
/// s as [before, length, 1, after] around an axis, or [before, 1, length, after].
constexpr shape around_axis(shape const& s, int axis, bool length_first) {
    shape r{4, {static_extent(1), s.extents[axis], s.extents[axis], static_extent(1)}};
    for (int i = 0; i < s.rank; ++i)
        if (i != axis) r.extents[i < axis ? 0 : 3] = r.extents[i < axis ? 0 : 3] * s.extents[i];
    r.extents[length_first ? 2 : 1] = static_extent(1);
    return r;
}
}

namespace op {
constexpr symbol concat_along(int axis, symbol const* parts, int count) {
    auto const w = to_words(axis_attributes{axis});
    return parts[0].table->add(op_register<concat>::info, parts, count, w.view());
}
/// `length` elements, starting at `begin`.
constexpr symbol slice_of(symbol s, int axis, extent const& begin, extent const& length) {
    extent const bounds[]{begin, length, length};
    auto const w = to_words(slice_attributes{axis, false, 1});
    return apply_with<slice>(w.view(bounds, 3), s);
}
/// Inserts zeros between the elements of the gradient of a slice with a step. [outer, length, 1, inner] is joined with
/// zeros and becomes [outer, length * step, inner].
constexpr symbol spread(derivation& d, int axis) {
    std::int64_t const step = d.attrs->as<slice_attributes>().step;
    extent const length = slice_length(*d.attrs), span = slice_span(*d.attrs);
    shape s = d.table->info(d.result).dims, wide = detail::around_axis(s, axis, true);
    symbol parts[2]{reshape_to(d.gradient, wide), {}};
    wide.extents[2] = static_extent(step - 1);
    parts[1] = zeros_of(d, wide);
    symbol r = reshape_to(concat_along(2, parts, 2), shape{3, {wide.extents[0], length * static_extent(step), wide.extents[3]}});
    if (!(length * static_extent(step) == span)) r = slice_of(r, 1, static_extent(0), span);
    s.extents[axis] = span;
    return reshape_to(r, s);
}
constexpr void slice::derive(derivation& d) {   // pads the gradient with zeros
    value_info const& x = d.info(0);
    auto const how = d.attrs->as<slice_attributes>();
    int const axis = how.axis;
    extent const before = slice_begin(*d.attrs), after = x.dims.extents[axis] - before - slice_span(*d.attrs), none = static_extent(0);
    symbol parts[3];
    int n = 0;
    auto zeros = [&](extent const& length) {
        shape s = x.dims;
        s.extents[axis] = length;
        return zeros_of(d, s);
    };
    if (!(before == none)) parts[n++] = zeros(before);
    parts[n++] = how.step > 1 ? spread(d, axis) : d.gradient;
    if (!(after == none)) parts[n++] = zeros(after);
    d.out[0] = n == 1 ? parts[0] : concat_along(axis, parts, n);
}
constexpr void concat::derive(derivation& d) {
    auto const axis = static_cast<int>(d.attrs->as<axis_attributes>().axis);
    extent begin = static_extent(0);
    for (int k = 0; k < d.count; ++k) {
        extent const e = d.info(k).dims.extents[axis];
        if (d.wanted[k]) d.out[k] = slice_of(d.gradient, axis, begin, e);
        begin = begin + e;
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
