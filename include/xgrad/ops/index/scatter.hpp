// SPDX-License-Identifier: MIT
// Elements written by positions: rows, parts along an axis, single elements, parts at coordinates.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/take.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The shape of updates of parts along an axis: that of ids in the place of the axis.
template<class A, class B>
constexpr shape shape_of_updates(int axis) {
    return replaced(value_of<A>.dims, axis, axis + 1, value_of<B>.dims);
}
template<xgrad::combine How, class A>
constexpr bool can_combine = value_of<A>.type != dtype::literal && (How == xgrad::combine::update || value_of<A>.type != dtype::boolean);
template<xgrad::combine How, int Axis, class A, class B, class U>
constexpr index_slip slip_of_put() {
    constexpr auto slip = slip_of_take<Axis, 0, A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else if constexpr (!can_combine<How, A>) return index_slip::types;
    else return slip_of_updates<value_of<A>.type, U>(shape_of_updates<A, B>(axis_of_rank(Axis, value_of<A>.dims.rank)));
}
// One sentence for each mistake of all functions that put parts along an axis.
template<index_slip Slip>
constexpr void check_put() {
    check_ids<Slip>();
    static_assert(Slip != index_slip::axis,
        "xgrad::scatter_...(x, ids, updates), index_...<axis>(x, ids, updates): x does not have this axis; write one of -rank ... rank-1");
    static_assert(Slip != index_slip::types,
        "xgrad::scatter_...(x, ids, updates), index_...<axis>(x, ids, updates): x and updates differ in element type, or a sum of bool is "
        "asked for; write cast<float>(x)");
    static_assert(Slip != index_slip::shapes,
        "xgrad::scatter_...(x, ids, updates), index_...<axis>(x, ids, updates): updates have another shape than take<axis>(x, ids); write "
        "reshape or broadcast_to");
}
template<xgrad::combine How, int Axis, class A, class B, class U>
constexpr auto put_parts(A const& x, B const& ids, U const& updates) {
    constexpr auto slip = slip_of_put<How, Axis, A, B, U>();
    check_put<slip>();
    if constexpr (slip == index_slip::no_expression) return refuse_operand<A, B, U>();
    else if constexpr (slip != index_slip::none) return refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr int axis = axis_of_rank(Axis, s.rank);
        constexpr shape all = four_around(s, axis), of_updates = shape_of_updates<A, B>(axis);
        constexpr extent k = value_of<B>.dims.size(), one = static_extent(1);
        return reshaped_to<s>(apply<op::put_along<How, true>>(reshaped_to<all>(x), reshaped_to<four(one, one, k, one)>(ids),
            reshaped_to<with_axis(all, k)>(updates_as<value_of<A>.type, of_updates>(updates))));
    }
}
template<xgrad::combine How, int Axis, class A, class B, class U>
constexpr index_slip slip_of_elements() {
    constexpr auto slip = slip_of_along<Axis, A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else if constexpr (!can_combine<How, A>) return index_slip::types;
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr int axis = axis_of_rank(Axis, s.rank);
        constexpr shape to = replaced(s, axis, axis + 1, shape{1, {value_of<B>.dims.extents[axis]}});
        return repeats_to(value_of<B>.dims, to) ? slip_of_updates<value_of<A>.type, U>(to) : index_slip::shapes;
    }
}
template<xgrad::combine How, class A, class B, class U>
constexpr index_slip slip_of_put_nd() {
    constexpr auto slip = slip_of_nd<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else if constexpr (!can_combine<How, A>) return index_slip::types;
    else
        return slip_of_updates<value_of<A>.type, U>(joined(axes_between(value_of<B>.dims, 0, value_of<B>.dims.rank - 1),
            axes_between(value_of<A>.dims, axes_named<B>, value_of<A>.dims.rank)));
}
// One sentence for each mistake of scatter_nd and its forms.
template<index_slip Slip>
constexpr void check_put_nd() {
    check_coordinates<Slip>();
    static_assert(Slip != index_slip::types,
        "xgrad::scatter_nd<...>(ids, updates), scatter_nd_...(x, ids, updates): the updates have another element type than x, or are "
        "bool; write cast<float>(updates)");
    static_assert(Slip != index_slip::shapes,
        "xgrad::scatter_nd<...>(ids, updates), scatter_nd_...(x, ids, updates): updates are not ids.shape[:-1] + shape[m:], where m is "
        "the last extent of ids; write reshape");
}
template<xgrad::combine How, class A, class B, class U>
constexpr auto put_nd(A const& x, B const& ids, U const& updates) {
    constexpr auto slip = slip_of_put_nd<How, A, B, U>();
    check_put_nd<slip>();
    if constexpr (slip == index_slip::no_expression) return refuse_operand<A, B, U>();
    else if constexpr (slip != index_slip::none) return refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        return reshaped_to<s>(put_parts<How, 0>(reshaped_to<joined_axes(s, axes_named<B>)>(x), joined_rows<s>(ids), updates));
    }
}
/// A result of which only the shape is known.
template<dtype Type, shape S>
struct shape_alone : expression_base {
    static constexpr node_info info{nullptr, {Type, S, fault::none}, {}, 0, nullptr, 0};
};
}

/// x with the rows at ids replaced by updates (TensorFlow's scatter_update, NumPy's x[ids] = updates). ids are int32 or int64 of any shape.
/// updates have the shape ids.shape + x.shape[1:], or one that repeats to it, or are a number. Of several updates of one row the last one
/// stays. An id outside of the rows is a value_error, as in gather. Any element type.
/// Gradient: of x, g in the rows without an update, 0 in others. Of the updates, g at the ids for those that stay, 0 for others.
template<class A, class B, class U>
constexpr auto scatter_update(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::update, 0>(x, ids, updates);
}
/// x with updates added to the rows at ids; several updates of one row are all added (TensorFlow's scatter_add, NumPy's np.add.at, JAX's
/// .at[ids].add). They are added one after the other in the element type. Shapes and ids are those of scatter_update.
/// Gradient: of x, g; of the updates, g at the ids.
template<class A, class B, class U>
constexpr auto scatter_add(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::add, 0>(x, ids, updates);
}
/// x with the rows at ids multiplied by updates; several updates of one row are all multiplied (TensorFlow's scatter_mul). Shapes and ids
/// are those of scatter_update. Integers wrap around.
/// Gradient: of x, g times the updates of its row. Of an update, g times x and the other updates of its row, also if some are 0.
template<class A, class B, class U>
constexpr auto scatter_mul(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::mul, 0>(x, ids, updates);
}
/// The maximum of x and the updates of the rows at ids (TensorFlow's scatter_max). Shapes and ids are those of scatter_update. NaN stays.
/// Gradient: g to what equals the result; x and updates that are tied share it equally.
template<class A, class B, class U>
constexpr auto scatter_max(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::max, 0>(x, ids, updates);
}
/// The minimum of x and the updates of the rows at ids (TensorFlow's scatter_min). Shapes and ids are those of scatter_update. NaN stays.
/// Gradient: g to what equals the result; x and updates that are tied share it equally.
template<class A, class B, class U>
constexpr auto scatter_min(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::min, 0>(x, ids, updates);
}
/// x with updates joined to the parts at ids along an axis (PyTorch's index_reduce with include_self): `index_reduce<1, combine::max>(x,
/// ids, updates)`. The updates have the shape of take<axis>(x, ids), or one that repeats to it, or are a number. combine::update is
/// index_copy, combine::add index_add. An id outside of the axis is a value_error.
/// Gradient: that of scatter_update, scatter_add, scatter_mul, scatter_max or scatter_min, along the axis.
template<int Axis, combine How, class A, class B, class U>
constexpr auto index_reduce(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<How, Axis>(x, ids, updates);
}
/// x with updates added to the parts at ids along an axis (PyTorch's index_add): `index_add<1>(x, ids, updates)` adds to x[:, ids].
/// Shapes and ids are those of index_reduce.
/// Gradient: of x, g; of the updates, g at the ids.
template<int Axis, class A, class B, class U>
constexpr auto index_add(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::add, Axis>(x, ids, updates);
}
/// x with the parts at ids along an axis replaced by updates (PyTorch's index_copy and index_fill). Of several updates of one part the
/// last one stays. Shapes and ids are those of index_reduce.
/// Gradient: of x, g in the parts without an update, 0 in others. Of the updates, g at the ids for those that stay, 0 for others.
template<int Axis, class A, class B, class U>
constexpr auto index_copy(A const& x, B const& ids, U const& updates) {
    return detail::put_parts<combine::update, Axis>(x, ids, updates);
}

/// x with single elements along an axis replaced by updates, or joined to them (ONNX's ScatterElements, PyTorch's scatter, scatter_add
/// and scatter_reduce with include_self): `scatter_elements<1, combine::add>(x, ids, updates)` adds updates[i, j] to x[i, ids[i, j]].
/// x, ids and updates have equally many axes. ids and updates have one extent along the axis, and the extents of x elsewhere, or 1;
/// updates may be a number. Of several updates of one element combine::update keeps the last one. An id outside of the axis is a
/// value_error. Bool is only replaced.
/// Gradient: that of scatter_update, scatter_add, scatter_mul, scatter_max or scatter_min, for single elements.
template<int Axis, combine How = combine::update, class A, class B, class U>
constexpr auto scatter_elements(A const& x, B const& ids, U const& updates) {
    using detail::index_slip;
    constexpr auto slip = detail::slip_of_elements<How, Axis, A, B, U>();
    detail::check_ids<slip>();
    static_assert(slip != index_slip::axis,
        "xgrad::scatter_elements<axis>(x, ids, updates): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != index_slip::rank,
        "xgrad::scatter_elements<axis>(x, ids, updates): x and ids have different numbers of axes; write expand_dims, or "
        "index_copy<axis>(x, ids, updates)");
    static_assert(slip != index_slip::types,
        "xgrad::scatter_elements<axis, how>(x, ids, updates): x and updates differ in element type, or a sum of bool is asked for; write "
        "cast<float>(x)");
    static_assert(slip != index_slip::shapes,
        "xgrad::scatter_elements<axis>(x, ids, updates): ids do not have the extents of x in the other axes, or updates those of ids; "
        "write broadcast_to");
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, B, U>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        constexpr int axis = detail::axis_of_rank(Axis, s.rank);
        constexpr shape to = detail::replaced(s, axis, axis + 1, shape{1, {value_of<B>.dims.extents[axis]}});
        return detail::reshaped_to<s>(
            apply<op::put_along<How, true>>(detail::reshaped_to<detail::four_around(s, axis)>(x), detail::ids_along<axis, to>(ids),
                detail::reshaped_to<detail::four_around(to, axis)>(detail::updates_as<value_of<A>.type, to>(updates))));
    }
}
/// x with the elements at ids along an axis replaced by values (NumPy's put_along_axis): another name of scatter_elements<axis>.
/// Gradient: that of scatter_elements.
template<int Axis, class A, class B, class U>
constexpr auto put_along_axis(A const& x, B const& ids, U const& values) {
    return scatter_elements<Axis>(x, ids, values);
}

/// A tensor of shape D... with updates at coordinates and zeros elsewhere; several updates of one place are summed (TensorFlow's
/// scatter_nd): `scatter_nd<8, 8>(ids, updates)`. The last axis of ids [..., m] has one id for each of the first m axes of the result.
/// The updates have the shape ids.shape[:-1] + shape[m:]. A coordinate outside of its axis is a value_error. The element type is that
/// of the updates, not bool.
/// Gradient: of the updates, g at the coordinates (gather_nd); of the ids none.
template<auto... D, class B, class U>
constexpr auto scatter_nd(B const& ids, U const& updates) {
    constexpr bool fits = sizeof...(D) <= max_rank && detail::are_extents<D...>;
    static_assert(fits,
        "xgrad::scatter_nd<...>(ids, updates): the shape has more than six extents, or one is neither an integer of at least 0 nor a named "
        "dimension; write scatter_nd<8, 8>(ids, updates)");
    if constexpr (!fits) return detail::refused{};
    else if constexpr (!Expr<B> || !Expr<U>) return detail::refuse_operand<B, U>();
    else {
        using whole = detail::shape_alone<value_of<U>.type, make_shape<D...>()>;
        constexpr auto slip = detail::slip_of_put_nd<combine::add, whole, B, U>();
        detail::check_put_nd<slip>();
        if constexpr (slip != detail::index_slip::none) return detail::refused{};
        else {
            constexpr shape s = make_shape<D...>(), joined = detail::joined_axes(s, detail::axes_named<B>),
                            each = detail::axes_between(value_of<B>.dims, 0, value_of<B>.dims.rank - 1);
            constexpr shape rows = detail::replaced(joined, 0, 1, shape{1, {each.size()}}), given = detail::replaced(joined, 0, 1, each);
            return detail::reshaped_to<s>(apply<detail::with_shape<op::scatter, joined>>(
                detail::reshaped_to<rows>(detail::updates_as<value_of<U>.type, given>(updates)),
                detail::reshaped_to<shape{1, {each.size()}}>(detail::joined_rows<s>(ids))));
        }
    }
}
/// x with the parts at coordinates replaced by updates (TensorFlow's tensor_scatter_nd_update, ONNX's ScatterND). Coordinates are those of
/// scatter_nd. Of several updates of one place the last one stays.
/// Gradient: of x, g in the parts without an update, 0 in others. Of the updates, g at the coordinates for those that stay, 0 for others.
template<class A, class B, class U>
constexpr auto scatter_nd_update(A const& x, B const& ids, U const& updates) {
    return detail::put_nd<combine::update>(x, ids, updates);
}
/// x with updates added to the parts at coordinates, all of several (TensorFlow's tensor_scatter_nd_add). Coordinates are those of
/// scatter_nd.
/// Gradient: of x, g; of the updates, g at the coordinates.
template<class A, class B, class U>
constexpr auto scatter_nd_add(A const& x, B const& ids, U const& updates) {
    return detail::put_nd<combine::add>(x, ids, updates);
}
/// x with the parts at coordinates multiplied by updates, by all of several (ONNX's ScatterND with mul, JAX's .at[...].mul). Coordinates
/// are those of scatter_nd. Integers wrap around.
/// Gradient: that of scatter_mul, at the coordinates.
template<class A, class B, class U>
constexpr auto scatter_nd_mul(A const& x, B const& ids, U const& updates) {
    return detail::put_nd<combine::mul>(x, ids, updates);
}
/// The maximum of x and the updates at coordinates (TensorFlow's tensor_scatter_nd_max). Coordinates are those of scatter_nd.
/// Gradient: g to what equals the result; x and updates that are tied share it equally.
template<class A, class B, class U>
constexpr auto scatter_nd_max(A const& x, B const& ids, U const& updates) {
    return detail::put_nd<combine::max>(x, ids, updates);
}
/// The minimum of x and the updates at coordinates (TensorFlow's tensor_scatter_nd_min). Coordinates are those of scatter_nd.
/// Gradient: g to what equals the result; x and updates that are tied share it equally.
template<class A, class B, class U>
constexpr auto scatter_nd_min(A const& x, B const& ids, U const& updates) {
    return detail::put_nd<combine::min>(x, ids, updates);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
