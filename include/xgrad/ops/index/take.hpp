// SPDX-License-Identifier: MIT
// Elements by positions: take along any axis, take_along_axis, gather_nd.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The number of a row, from that of the axes before, a coordinate and its extent: −1 if one of the coordinates is outside.
struct joined_coordinate : elementwise_op {
    static constexpr std::string_view name = "joined_coordinate";
    static constexpr value_info infer(value_info const* v, int count, attributes const&) {
        return xgrad::detail::broadcast_operands(v, count);
    }
    template<class V>
    XGRAD_INLINE static V value(V before, V at, V n) {
        if constexpr (std::is_integral_v<V>) return before < 0 || at < 0 || at >= n ? V(-1) : static_cast<V>(before * n + at);
        else return before;
    }
};
}

namespace detail {
template<int Axis, int BatchDims, class A, class B>
constexpr index_slip slip_of_take() {
    constexpr auto slip = slip_of_ids<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else {
        shape const &x = value_of<A>.dims, &ids = value_of<B>.dims;
        int const axis = axis_of_rank(Axis, x.rank);
        if (axis < 0) return index_slip::axis;
        if (BatchDims < 0 || BatchDims > axis || BatchDims > ids.rank) return index_slip::batch;
        for (int a = 0; a < BatchDims; ++a)
            if (!(x.extents[a] == ids.extents[a])) return index_slip::batch;
        return x.rank - 1 + ids.rank - BatchDims > max_rank ? index_slip::many_axes : index_slip::none;
    }
}
template<int Axis, class A, class B>
constexpr index_slip slip_of_along() {
    constexpr auto slip = slip_of_ids<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else {
        shape x = value_of<A>.dims, ids = value_of<B>.dims;
        int const axis = axis_of_rank(Axis, x.rank);
        if (axis < 0) return index_slip::axis;
        if (x.rank != ids.rank) return index_slip::rank;
        x.extents[axis] = ids.extents[axis] = static_extent(1);
        return broadcast_into(x, ids) ? index_slip::none : index_slip::shapes;
    }
}
/// The shape that x and ids have together, with the extent of `of` along the axis.
constexpr shape together(shape x, shape ids, int axis, extent const& of) {
    x.extents[axis] = ids.extents[axis] = static_extent(1);
    broadcast_into(x, ids);
    x.extents[axis] = of;
    return x;
}
/// Ids [b, p, k, q] of ids whose other axes repeat to those of `whole`. If none of them before the axis, or after it, is more than 1,
/// they are not repeated there.
template<int Axis, shape Whole, class B>
constexpr auto ids_along(B const& ids) {
    constexpr shape s = [] {
        shape r = Whole;
        bool const before = is_one(size_between(value_of<B>.dims, 0, Axis)),
                   after = is_one(size_between(value_of<B>.dims, Axis + 1, Whole.rank));
        for (int a = 0; a < r.rank; ++a)
            if (a == Axis || (a < Axis ? before : after)) r.extents[a] = value_of<B>.dims.extents[a];
        return r;
    }();
    return reshaped_to<four_around(s, Axis)>(repeated_to<s>(ids));
}
template<class A, class B>
constexpr index_slip slip_of_nd() {
    constexpr auto slip = slip_of_ids<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else {
        shape const &x = value_of<A>.dims, &ids = value_of<B>.dims;
        if (ids.rank < 1) return index_slip::rank;
        extent const& m = ids.extents[ids.rank - 1];
        if (!m.is_static() || m.constant < 1 || m.constant > x.rank) return index_slip::axis;
        return ids.rank - 1 + x.rank - static_cast<int>(m.constant) > max_rank ? index_slip::many_axes : index_slip::none;
    }
}
template<index_slip Slip>
constexpr void check_coordinates() {
    check_ids<Slip>();
    static_assert(Slip != index_slip::rank,
        "xgrad::gather_nd(x, ids), scatter_nd<...>(ids, updates): the ids have no axis; write expand_dims<0>(ids)");
    static_assert(Slip != index_slip::axis,
        "xgrad::gather_nd(x, ids), scatter_nd<...>(ids, updates): the last extent of ids is not an integer of 1 ... rank; give one id for "
        "each of the first axes");
}
template<class B>
inline constexpr int axes_named = static_cast<int>(value_of<B>.dims.extents[value_of<B>.dims.rank - 1].constant);
/// int32 if ids and numbers of rows have it: its products take fewer instructions.
constexpr bool narrow_rows(dtype ids, extent const& rows) {
    return ids == dtype::int32 && rows.is_static() && rows.constant <= std::numeric_limits<std::int32_t>::max();
}
template<class I, int K, class B>
constexpr auto coordinate(B const& ids) {
    return cast<I>(squeeze<-1>(slice<-1, std::int64_t{K}, std::int64_t{K + 1}>(ids)));
}
template<shape S, class I, int K, class B>
constexpr auto rows_before(B const& ids) {
    constexpr auto before = [](auto const& x) {
        if constexpr (K == 0) return constant<I, 0>;
        else return rows_before<S, I, K - 1>(x);
    };
    return apply<op::joined_coordinate>(before(ids), coordinate<I, K>(ids), number_of<I, S.extents[K]>());
}
/// The numbers of the rows that remain if the first axes of S are joined to one. It is −1 if a coordinate is outside of its axis,
/// which the lookup then reports.
template<shape S, class B>
constexpr auto joined_rows(B const& ids) {
    constexpr int m = axes_named<B>;
    using I = std::conditional_t<narrow_rows(value_of<B>.type, size_between(S, 0, m)), std::int32_t, std::int64_t>;
    if constexpr (m == 1) return squeeze<-1>(ids);
    else return rows_before<S, I, m - 1>(ids);
}
/// S with its first `m` axes joined to one.
constexpr shape joined_axes(shape const& s, int m) { return replaced(s, 0, m, shape{1, {size_between(s, 0, m)}}); }
}

/// The parts of x at ids along an axis (NumPy's take, TensorFlow's gather with axis, PyTorch's index_select): `take<1>(x, ids)` is
/// x[:, ids]. The ids are int32 or int64 of any shape, and their axes are in the place of that axis: x.shape[:axis] + ids.shape +
/// x.shape[axis+1:]. With BatchDims the first axes of x and ids are equal, and each of their parts has its own ids (TensorFlow's
/// batch_dims): `take<1, 1>(x, ids)` is y[b, k] = x[b, ids[b, k]]. take<0> is gather. Any element type.
///
/// An id below 0 or beyond the axis is a value_error, as in gather, also if the ids are computed: −1 is not the last position.
///
/// Gradient: of x, g added at the ids, duplicated ones summed; sparse for axis 0. Of the ids none.
template<int Axis = 0, int BatchDims = 0, class A, class B>
constexpr auto take(A const& x, B const& ids) {
    using detail::index_slip;
    constexpr auto slip = detail::slip_of_take<Axis, BatchDims, A, B>();
    detail::check_ids<slip>();
    static_assert(slip != index_slip::axis, "xgrad::take<axis>(x, ids): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != index_slip::batch,
        "xgrad::take<axis, batch_dims>(x, ids): batch_dims is above axis, or x and ids differ in these first axes; write take<axis>(x, ids)");
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims, ids_shape = value_of<B>.dims;
        constexpr int axis = detail::axis_of_rank(Axis, s.rank);
        if constexpr (axis == 0) return gather(x, ids);
        else {
            constexpr shape rows = detail::axes_between(ids_shape, BatchDims, ids_shape.rank);
            constexpr extent b = detail::size_between(s, 0, BatchDims), o = detail::size_between(s, BatchDims, axis),
                             i = detail::size_between(s, axis + 1, s.rank), one = static_extent(1);
            return detail::reshaped_to<detail::replaced(s, axis, axis + 1, rows)>(
                apply<op::take_along>(detail::reshaped_to<detail::four(b, o, s.extents[axis], i)>(x),
                    detail::reshaped_to<detail::four(b, one, rows.size(), one)>(ids)));
        }
    }
}
/// The elements of x at ids along an axis (NumPy's take_along_axis, PyTorch's gather and take_along_dim, ONNX's GatherElements):
/// `take_along_axis<1>(x, ids)` is y[i, j] = x[i, ids[i, j]]. x and ids have equally many axes. The result has the extent of ids along
/// the axis; the other axes broadcast. It puts what argsort and top_k return to use. Any element type. An id below 0 or beyond the axis
/// is a value_error.
/// Gradient: of x, g added at the ids, duplicated ones summed; of the ids none.
template<int Axis, class A, class B>
constexpr auto take_along_axis(A const& x, B const& ids) {
    using detail::index_slip;
    constexpr auto slip = detail::slip_of_along<Axis, A, B>();
    detail::check_ids<slip>();
    static_assert(
        slip != index_slip::axis, "xgrad::take_along_axis<axis>(x, ids): axis is outside of -rank ... rank-1; write an axis of x");
    static_assert(slip != index_slip::rank,
        "xgrad::take_along_axis<axis>(x, ids): x and ids have different numbers of axes; write expand_dims, or take<axis>(x, ids)");
    static_assert(slip != index_slip::shapes,
        "xgrad::take_along_axis<axis>(x, ids): x and ids differ in another axis than this one; give both one extent there, or 1");
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims, t = value_of<B>.dims;
        constexpr int axis = detail::axis_of_rank(Axis, s.rank);
        constexpr shape from = detail::together(s, t, axis, s.extents[axis]), to = detail::together(s, t, axis, t.extents[axis]);
        return detail::reshaped_to<to>(apply<op::take_along>(
            detail::reshaped_to<detail::four_around(from, axis)>(detail::repeated_to<from>(x)), detail::ids_along<axis, to>(ids)));
    }
}
/// The parts of x at coordinates: the last axis of ids [..., m] has one id for each of the first m axes of x (TensorFlow's gather_nd).
/// The result has the shape ids.shape[:-1] + x.shape[m:]. m is an integer of 1 to the rank of x. Any element type. A coordinate below 0
/// or beyond its axis is a value_error.
/// Gradient: of x, g added at the coordinates, duplicated ones summed; sparse for m = 1. Of the ids none.
template<class A, class B>
constexpr auto gather_nd(A const& x, B const& ids) {
    using detail::index_slip;
    constexpr auto slip = detail::slip_of_nd<A, B>();
    detail::check_coordinates<slip>();
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, B>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        return gather(detail::reshaped_to<detail::joined_axes(s, detail::axes_named<B>)>(x), detail::joined_rows<s>(ids));
    }
}

namespace detail {
template<class A, int Function>
constexpr refused refuse_take_argument() {
    static_assert(sizeof(A) == 0,
        "xgrad: the axis of take or take_along_axis is an argument; write it in angle brackets: take<1>(x, ids), take_along_axis<1>(x, ids)");
    return {};
}
}
// NumPy's take(x, ids, 1) and take_along_axis(x, ids, 1).
template<class A, class B, class... N>
    requires(Operand<B> && detail::NumbersAfter<A, N...>)
constexpr auto take(A const&, B const&, N const&...) {
    return detail::refuse_take_argument<A, 0>();
}
template<class A, class B, class... N>
    requires(Operand<B> && detail::NumbersAfter<A, N...>)
constexpr auto take_along_axis(A const&, B const&, N const&...) {
    return detail::refuse_take_argument<A, 1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
