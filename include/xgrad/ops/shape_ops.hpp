// SPDX-License-Identifier: MIT
// The same elements with another shape: reshape, expand_dims, squeeze, broadcast_to, transpose, and stop_gradient.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/leaves.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Attributes: the extents of the new shape, with the same number of elements.
struct reshape {
    static constexpr value_info infer(value_info const* v, int, attributes const& a) {
        value_info r{v[0].type, a.target(), fault::none};
        if (!(v[0].dims.size() == r.dims.size())) r.wrong = fault::shapes;
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("reshape", op_kind::alias, infer, derive); }
};
/// The axis in the attributes; a negative one counts from the end of `rank` axes.
constexpr int named_axis(xgrad::attributes const& a, int rank) {
    auto const axis = static_cast<int>(a.as<axis_attributes>().axis);
    return axis < 0 ? axis + rank : axis;
}
/// Adds an axis of extent 1.
struct expand_dims {
    using attributes = axis_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r{v[0].type, {}, fault::none};
        int const axis = named_axis(a, v[0].dims.rank + 1);
        if (axis < 0 || axis > v[0].dims.rank) return {v[0].type, {}, fault::axis};
        if (v[0].dims.rank == max_rank) return {v[0].type, {}, fault::too_long};
        r.dims.rank = v[0].dims.rank + 1;
        for (int i = 0, k = 0; i < r.dims.rank; ++i) r.dims.extents[i] = i == axis ? static_extent(1) : v[0].dims.extents[k++];
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("expand_dims", op_kind::alias, infer, derive); }
};
/// Removes an axis of extent 1.
struct squeeze {
    using attributes = axis_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        value_info r{v[0].type, {}, fault::none};
        int const axis = named_axis(a, v[0].dims.rank);
        if (axis < 0 || axis >= v[0].dims.rank) return {v[0].type, {}, fault::axis};
        if (!is_one(v[0].dims.extents[axis])) return {v[0].type, {}, fault::shapes};
        for (int i = 0; i < v[0].dims.rank; ++i)
            if (i != axis) r.dims.extents[r.dims.rank++] = v[0].dims.extents[i];
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("squeeze", op_kind::alias, infer, derive); }
};
struct stop_gradient {
    static constexpr value_info infer(value_info const* v, int, attributes const&) { return v[0]; }
    static constexpr op_info describe() { return make_op("stop_gradient", op_kind::alias, infer, nullptr); }
};
/// Attributes: the extents of the shape to repeat to.
struct broadcast_to {
    static constexpr value_info infer(value_info const* v, int, attributes const& a) {
        value_info r{v[0].type, a.target(), fault::none};
        shape s = r.dims;
        if (!broadcast_into(s, v[0].dims) || !(s == r.dims)) r.wrong = fault::shapes;
        return r;
    }
    static constexpr void derive(derivation& d) { d.out[0] = d.gradient; }   // summed back where broadcasting is undone
    static constexpr op_info describe() { return make_op("broadcast_to", op_kind::broadcast, infer, derive); }
};
struct transpose {
    using attributes = permutation_attributes;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a) {
        axis_list const order = a.as<attributes>().order;
        value_info r{v[0].type, {}, fault::none};
        r.dims.rank = v[0].dims.rank;
        axis_set seen{};
        for (int i = 0; i < r.dims.rank; ++i) {
            int const from = order[i];
            if (from < 0 || from >= r.dims.rank || seen.has(from)) return {v[0].type, {}, fault::axis};
            seen.add(from);
            r.dims.extents[i] = v[0].dims.extents[from];
        }
        return r;
    }
    static constexpr void derive(derivation& d);
    static constexpr op_info describe() { return make_op("transpose", op_kind::transpose, infer, derive); }
};
}

namespace detail {
template<auto D>
constexpr bool is_negative_extent() {
    if constexpr (std::is_integral_v<decltype(D)>) return static_cast<std::int64_t>(D) < 0;
    else return false;
}
}

/// `x` with the shape D..., which are integers and named dimensions. The number of elements must be the same.
/// Gradient: g in the shape of x.
template<auto... D, class A>
constexpr auto reshape(A const& x) {
    constexpr bool fits = sizeof...(D) <= max_rank, known = !(detail::is_negative_extent<D>() || ...);
    static_assert(fits, "xgrad::reshape<...>(x): more than six extents are given; write at most six");
    static_assert(
        known, "xgrad::reshape<...>(x): an extent is negative, and -1 stands for no other number; write the extent, or flatten<1>(x)");
    if constexpr (fits && known) {
        static_assert(detail::fault_of<with<op::reshape, D...>, A>() != fault::shapes,
            "xgrad::reshape<...>(x): the new shape has another number of elements than x; write extents with the same product");
        return apply<with<op::reshape, D...>>(x);
    } else return detail::refused{};
}
/// Inserts an axis of extent 1 before `Axis`. A negative `Axis` counts from the end, so -1 appends the axis.
/// Gradient: g in the shape of x.
template<int Axis, class A>
constexpr auto expand_dims(A const& x) {
    constexpr fault f = detail::fault_of<with<op::expand_dims, axis_attributes{Axis}>, A>();
    static_assert(f != fault::axis, "xgrad::expand_dims<axis>(x): axis is outside of -rank-1 ... rank; write an axis in this range");
    static_assert(
        f != fault::too_long, "xgrad::expand_dims<axis>(x): x has six axes already, the most that a tensor can have; write reshape first");
    return apply<with<op::expand_dims, axis_attributes{Axis}>>(x);
}
/// Removes an axis of extent 1.
/// Gradient: g in the shape of x.
template<int Axis, class A>
constexpr auto squeeze(A const& x) {
    constexpr fault f = detail::fault_of<with<op::squeeze, axis_attributes{Axis}>, A>();
    static_assert(f != fault::axis, "xgrad::squeeze<axis>(x): axis is outside of -rank ... rank-1; write an axis in this range");
    static_assert(f != fault::shapes, "xgrad::squeeze<axis>(x): the extent of that axis is not 1; write sum<axis>(x) or slice it first");
    return apply<with<op::squeeze, axis_attributes{Axis}>>(x);
}
/// Repeats `x` to the shape D... by NumPy's rule.
/// Gradient: g, summed over the repeated axes.
template<auto... D, class A>
constexpr auto broadcast_to(A const& x) {
    constexpr bool fits = sizeof...(D) <= max_rank;
    static_assert(fits, "xgrad::broadcast_to<...>(x): more than six extents are given; write at most six");
    if constexpr (fits) {
        static_assert(detail::fault_of<with<op::broadcast_to, D...>, A>() != fault::shapes,
            "xgrad::broadcast_to<...>(x): x does not broadcast to that shape: from the right, its extents must be equal or 1; "
            "write reshape or expand_dims first");
        return apply<with<op::broadcast_to, D...>>(x);
    } else return detail::refused{};
}
namespace op {
/// An axis that a tensor cannot have becomes -1. The shape rule refuses it.
template<int... P>
constexpr permutation_attributes order_of() {
    permutation_attributes r{};
    if constexpr (sizeof...(P) <= max_rank) (r.order.push(P < 0 || P >= max_rank ? -1 : P), ...);
    return r;
}
/// All axes if none is given.
template<int Rank, int... Axes>
constexpr axis_list axes_in_order() {
    axis_list r{};
    if constexpr (sizeof...(Axes) == 0)
        for (int i = 0; i < Rank; ++i) r.push(i);
    else if constexpr (sizeof...(Axes) <= axis_list::room) (r.push(Axes < -Rank || Axes >= Rank ? -1 : Axes < 0 ? Axes + Rank : Axes), ...);
    else r.push(-1);
    return r;
}
}
/// Permutes axes: `transpose<1, 0>(x)`. Without arguments it transposes a matrix.
/// Gradient: g with its axes permuted back.
template<int... P, class A>
constexpr auto transpose(A const& x) {
    if constexpr (sizeof...(P) == 0) return transpose<1, 0>(x);
    else {
        constexpr bool complete = [] {
            if constexpr (Expr<A>) return value_of<A>.wrong != fault::none || value_of<A>.dims.rank == static_cast<int>(sizeof...(P));
            else return true;
        }();
        static_assert(complete,
            "xgrad::transpose<p...>(x): the number of axes is not the rank of x; write each axis of x once, or transpose(x) for a "
            "matrix");
        if constexpr (complete) {
            using O = with<op::transpose, op::order_of<P...>()>;
            static_assert(detail::fault_of<O, A>() != fault::axis,
                "xgrad::transpose<p...>(x): an axis does not exist in x or is there twice; write each axis of x once");
            return apply<O>(x);
        } else return detail::refused{};
    }
}
namespace detail {
/// Numbers after an expression, where other libraries write what belongs in angle brackets.
template<class A, class... N>
concept NumbersAfter = Operand<A> && sizeof...(N) > 0 && (std::is_integral_v<N> && ...);
}
/// The value of `x`, but no gradient passes through it.
/// Gradient: none.
template<class A>
constexpr auto stop_gradient(A const& x) {
    return apply<op::stop_gradient>(x);
}

namespace op {
/// `s` with another shape. Adds no node if the shape is the same.
constexpr symbol reshape_to(symbol s, shape const& target) {
    if (s.table->info(s).dims == target) return s;
    return apply_with<reshape>(shape_attributes(target), s);
}
constexpr symbol broadcast_symbol(symbol s, shape const& target) {
    if (s.table->info(s).dims == target) return s;
    return apply_with<broadcast_to>(shape_attributes(target), s);
}
constexpr symbol zeros_of(derivation& d, shape const& s) {
    return broadcast_symbol(d.table->constant(0, d.table->info(d.gradient).type), s);
}
constexpr void reshape::derive(derivation& d) { d.out[0] = reshape_to(d.gradient, d.info(0).dims); }
constexpr void expand_dims::derive(derivation& d) { d.out[0] = reshape_to(d.gradient, d.info(0).dims); }
constexpr void squeeze::derive(derivation& d) { d.out[0] = reshape_to(d.gradient, d.info(0).dims); }
constexpr void transpose::derive(derivation& d) {
    axis_list const order = d.attrs->as<permutation_attributes>().order;
    axis_list back{order.count, {}};
    for (int i = 0; i < order.count; ++i) back.at[order[i]] = static_cast<std::int8_t>(i);
    d.out[0] = apply_with<transpose>({back}, d.gradient);
}
/// Makes `axis` the last one. axis_from_end is the inverse.
constexpr symbol axis_to_end(symbol s, int axis) {
    int const rank = s.table->info(s).dims.rank;
    if (axis == rank - 1) return s;
    axis_list order{};
    for (int i = 0; i < rank; ++i)
        if (i != axis) order.push(i);
    order.push(axis);
    return apply_with<transpose>({order}, s);
}
constexpr symbol axis_from_end(symbol s, int axis) {
    int const rank = s.table->info(s).dims.rank;
    if (axis == rank - 1) return s;
    axis_list order{};
    for (int i = 0; i < rank; ++i) order.push(i < axis ? i : i == axis ? rank - 1 : i - 1);
    return apply_with<transpose>({order}, s);
}
}
namespace detail {
/// Op with the extents of S.
template<class Op, shape S>
struct with_shape {};
template<class Op, shape S>
struct op_traits<with_shape<Op, S>> {
    using op = Op;
    static constexpr shape extents = S;
    static constexpr attributes attrs = shape_attributes(extents);
};
template<shape S, class E>
constexpr auto reshaped_to(E const& e) {
    if constexpr (value_of<E>.dims == S) return e;
    else return apply<with_shape<op::reshape, S>>(e);
}
template<shape S, class E>
constexpr auto repeated_to(E const& e) {
    if constexpr (value_of<E>.dims == S) return e;
    else return apply<with_shape<op::broadcast_to, S>>(e);
}
/// The extents of two shapes one after the other.
constexpr shape joined(shape const& a, shape const& b) {
    shape r = a;
    for (int i = 0; i < b.rank && r.rank < max_rank; ++i) r.extents[r.rank++] = b.extents[i];
    return r;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
