// SPDX-License-Identifier: MIT
// Sparse tensors from sparse tensors: in another order, joined, cut, with entries in empty rows.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/segments.hpp>
#include <xgrad/ops/index/unique.hpp>
#include <xgrad/ops/sparse/sparse_tensor.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
// The number of padding, after all others.
inline constexpr auto after_entries = constant<std::int64_t, (std::int64_t{1} << 53)>;
/// The numbers of the entries, of which padding has the last.
template<class S>
constexpr auto keys_of_entries() {
    return where_there<S>(entry_numbers<S>(), after_entries);
}
/// Coordinates [n, rank] of row-major numbers, in the type of the coordinates of Like.
template<class Like, class A>
constexpr auto coordinates_of(A const& numbers) {
    using I = cpp_type_t<value_of<std::remove_const_t<decltype(Like::indices)>>.type>;
    return cast<I>(side_by_side(coordinates<Like::dims, Like::dims.rank - 1>(numbers)));
}
/// Entries by rising keys, `count` of them; the others are padding.
template<shape Dims, class I, class V, class K, class C>
constexpr auto by_keys(I const& indices, V const& values, K const& keys, C const& count) {
    constexpr extent n = value_of<V>.dims.extents[0];
    auto const order = argsort(keys);
    auto const there = less(positions_along<n>{}, count);
    return counted<Dims>(
        select(expand_dims<-1>(there), gather(indices, order), literal<0>{}), select(there, gather(values, order), literal<0>{}), count);
}
/// Entries where a condition holds, in their order.
template<shape Dims, class I, class V, class M>
constexpr auto kept_entries(I const& indices, V const& values, M const& kept) {
    constexpr extent n = value_of<V>.dims.extents[0];
    auto const [at, count] = masked<n>(indices, kept);
    return counted<Dims>(at, std::get<0>(masked<n>(values, kept)), count);
}
template<class A, class B>
constexpr bool can_join() {
    if constexpr (!are_sparse<A, B>()) return false;
    else {
        constexpr bool shapes = A::dims == B::dims, types = value_of<values_of<A>>.type == value_of<values_of<B>>.type;
        static_assert(
            shapes, "xgrad::sparse_add, sparse_maximum or sparse_minimum(a, b): a and b have different shapes; write one shape for both");
        static_assert(types,
            "xgrad::sparse_add, sparse_maximum or sparse_minimum(a, b): a and b have values of different types; write cast<float>(values)");
        return shapes && types;
    }
}
/// The places of both, and at each join(value of a, value of b), of which one that is not there is 0.
template<class A, class B, class F>
constexpr auto joined_entries(F const& join) {
    constexpr extent na = entries_of<A>, nb = entries_of<B>, n = na + nb;
    auto const keys = concat<0>(keys_of_entries<A>(), keys_of_entries<B>());
    auto const [numbers, positions, times, different] = unique<n>(keys);
    auto const count = different - cast<std::int32_t>(any(equal(keys, after_entries)));
    auto const there = less(positions_along<n>{}, count);
    // an entry outside has the place −1, which the sum reports
    auto const places = select(less(keys, constant<std::int64_t, 0>), constant<std::int32_t, -1>, positions);
    auto const of_a = segment_sum<n>(A::values, slice<0, std::int64_t{0}, na>(places));
    auto const of_b = segment_sum<n>(B::values, slice<0, na, n>(places));
    return counted<A::dims>(
        coordinates_of<A>(select(there, numbers, constant<std::int64_t, 0>)), select(there, join(of_a, of_b), literal<0>{}), count);
}
template<class S, int Axis, class B>
constexpr auto shifted(B const& by) {   // the coordinates with a number added along an axis
    constexpr int rank = S::dims.rank;
    using I = cpp_type_t<value_of<std::remove_const_t<decltype(S::indices)>>.type>;
    return S::indices + select(equal(positions_along<static_extent(rank)>{}, constant<std::int32_t, Axis>), cast<I>(by), constant<I, 0>);
}
/// Coordinates, −1 for the entries of S that are outside.
template<class S, class A>
constexpr auto coordinates_or_outside(A const& indices) {
    return select(
        expand_dims<-1>(less(entry_numbers<S>(), constant<std::int64_t, 0>)), constant<cpp_type_t<value_of<A>.type>, -1>, indices);
}
template<int Axis, class A, class B>
constexpr bool can_concat() {
    if constexpr (!are_sparse<A, B>()) return false;
    else {
        constexpr int axis = axis_of_rank(Axis, A::dims.rank);
        constexpr bool fits = [] {
            if (axis < 0 || A::dims.rank != B::dims.rank || value_of<values_of<A>>.type != value_of<values_of<B>>.type ||
                value_of<std::remove_const_t<decltype(A::indices)>>.type != value_of<std::remove_const_t<decltype(B::indices)>>.type)
                return false;
            for (int a = 0; a < A::dims.rank; ++a)
                if (a != axis && !(A::dims.extents[a] == B::dims.extents[a])) return false;
            return true;
        }();
        static_assert(fits,
            "xgrad::sparse_concat<axis>(a, b...): the axis does not exist, or the tensors differ in type, or in an extent elsewhere; write an "
            "axis of both");
        return fits;
    }
}
}

/// The entries in row-major order of their places, as a sparse tensor (TensorFlow's sparse.reorder). Entries of one place keep their order.
/// Gradient: of the values, that of the result at their new places.
template<class S>
constexpr auto sparse_reorder([[maybe_unused]] S const& s) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else if constexpr (detail::is_counted<S>)
        return detail::by_keys<S::dims>(S::indices, S::values, detail::keys_of_entries<S>(), S::count);
    else {
        auto const order = argsort(detail::keys_of_entries<S>());
        return detail::sparse_like<S, S::dims>(gather(S::indices, order), gather(S::values, order));
    }
}
/// The sum of two sparse tensors of one shape, with an entry for each place of both, in row-major order: `sparse_add(a, b)` (TensorFlow's
/// sparse.add, PyTorch's sum and coalesce). The result has as many entries as both; `count` says how many are used. An
/// index outside is a value_error.
/// Gradient: of the values, g at their places.
template<class A, class B>
constexpr auto sparse_add([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
    if constexpr (!detail::can_join<A, B>()) return detail::refused{};
    else return detail::joined_entries<A, B>([](auto const& p, auto const& q) { return p + q; });
}
/// The larger of two sparse tensors at each place of both: `sparse_maximum(a, b)` (TensorFlow's sparse.maximum). A missing entry counts
/// as 0. Shape and order are those of sparse_add.
/// Gradient: of the values, g at their places where they are the larger ones; a takes all of it at a tie.
template<class A, class B>
constexpr auto sparse_maximum([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
    if constexpr (!detail::can_join<A, B>()) return detail::refused{};
    else return detail::joined_entries<A, B>([](auto const& p, auto const& q) { return maximum(p, q); });
}
/// The smaller of two sparse tensors at each place of both: `sparse_minimum(a, b)` (TensorFlow's sparse.minimum). A missing entry counts
/// as 0. Shape and order are those of sparse_add.
/// Gradient: of the values, g at their places where they are the smaller ones; a takes all of it at a tie.
template<class A, class B>
constexpr auto sparse_minimum([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
    if constexpr (!detail::can_join<A, B>()) return detail::refused{};
    else return detail::joined_entries<A, B>([](auto const& p, auto const& q) { return minimum(p, q); });
}
/// Joins sparse tensors along an axis: `sparse_concat<0>(a, b)` (TensorFlow's sparse.concat). The entries of a come first;
/// sparse_reorder sorts them.
/// Gradient: of the values, that of the result.
template<int Axis, class A, class B, class... C>
constexpr auto sparse_concat([[maybe_unused]] A const& a, [[maybe_unused]] B const& b, C const&... more) {
    if constexpr (!detail::can_concat<Axis, A, B>()) return detail::refused{};
    else {
        constexpr int axis = detail::axis_of_rank(Axis, A::dims.rank);
        constexpr shape whole = detail::replaced(A::dims, axis, axis + 1, shape{1, {A::dims.extents[axis] + B::dims.extents[axis]}});
        // an entry of a that is outside must not become one of b
        auto const of_a = detail::coordinates_or_outside<A>(A::indices);
        auto const of_b =
            detail::coordinates_or_outside<B>(detail::shifted<B, axis>(detail::number_of<std::int64_t, A::dims.extents[axis]>()));
        auto const indices = concat<0>(of_a, of_b);
        auto const values = concat<0>(A::values, B::values);
        auto const both = [&] {
            if constexpr (detail::is_counted<A> || detail::is_counted<B>)
                return detail::kept_entries<whole>(indices, values, concat<0>(detail::entries_there<A>(), detail::entries_there<B>()));
            else return detail::sparse_like<A, whole>(indices, values);
        }();
        if constexpr (sizeof...(C) == 0) return both;
        else return sparse_concat<Axis>(both, more...);
    }
}
/// The entries from Begin to before End along an axis, as a sparse tensor of that extent (TensorFlow's sparse.slice): `sparse_slice<1, 0,
/// 4>(s)`. The result has as many entries as s; `count` says how many are used.
/// Gradient: of the values, that of the result where they are inside, 0 for others.
template<int Axis, std::int64_t Begin, std::int64_t End, class S>
constexpr auto sparse_slice([[maybe_unused]] S const& s) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else {
        constexpr int axis = detail::axis_of_rank(Axis, S::dims.rank);
        constexpr bool fits = axis >= 0 && Begin >= 0 && Begin <= End &&
                              !(S::dims.extents[axis < 0 ? 0 : axis].is_static() && End > S::dims.extents[axis < 0 ? 0 : axis].constant);
        static_assert(fits,
            "xgrad::sparse_slice<axis, begin, end>(s): the axis does not exist, or the bounds are outside of it; write 0 <= "
            "begin <= end <= extent");
        if constexpr (!fits) return detail::refused{};
        else {
            constexpr shape part = detail::replaced(S::dims, axis, axis + 1, shape{1, {static_extent(End - Begin)}});
            auto const at = detail::coordinate<std::int64_t, axis>(S::indices);
            auto const outside = less(detail::entry_numbers<S>(), constant<std::int64_t, 0>);   // stays, and is outside of the part too
            auto const inside = logical_and(greater_equal(at, constant<std::int64_t, Begin>), less(at, constant<std::int64_t, End>));
            auto const indices = detail::coordinates_or_outside<S>(detail::shifted<S, axis>(constant<std::int64_t, -Begin>));
            auto const kept = logical_or(outside, inside);
            if constexpr (!detail::is_counted<S>) return detail::kept_entries<part>(indices, S::values, kept);
            else return detail::kept_entries<part>(indices, S::values, logical_and(kept, detail::entries_there<S>()));
        }
    }
}
/// A sparse matrix with an entry in column 0 of each row that has none, in row-major order, and which rows those are: `auto const [filled,
/// empty] = sparse_fill_empty_rows(s, 0_c)` (TensorFlow's sparse.fill_empty_rows). `filled` has as many entries as s and rows together;
/// its `count` says how many are used. `empty` is bool [rows].
/// Gradient: of the values, that of the result at their new places; of the number, the sum of the others.
template<class S, class A>
constexpr auto sparse_fill_empty_rows([[maybe_unused]] S const& s, A const& number) {
    if constexpr (!detail::are_sparse<S>()) return std::tuple{detail::refused{}, detail::refused{}};
    else if constexpr (!Expr<A>) return std::tuple{detail::refuse_operand<A>(), detail::refused{}};
    else {
        constexpr bool matrix = S::dims.rank == 2 && value_of<A>.dims.rank == 0;
        static_assert(
            matrix, "xgrad::sparse_fill_empty_rows(s, number): s is not a matrix, or the number is an array; write a number such as 0_c");
        if constexpr (!matrix) return std::tuple{detail::refused{}, detail::refused{}};
        else {
            constexpr extent m = S::dims.extents[0];
            using I = cpp_type_t<value_of<std::remove_const_t<decltype(S::indices)>>.type>;
            auto const rows = detail::where_there<S>(detail::coordinate<std::int64_t, 0>(S::indices), constant<std::int64_t, -1>);
            auto const empty = equal(bincount<m>(rows), constant<std::int32_t, 0>);
            auto const all_rows = cast<std::int64_t>(detail::positions_along<m>{});
            auto const first = expand_dims<-1>(cast<I>(all_rows));
            auto const indices = concat<0>(S::indices, concat<1>(first, first * constant<I, 0>));
            auto const values = concat<0>(S::values, detail::repeated_to<shape{1, {m}}>(cast<detail::value_type_of<S>>(number)));
            auto const of_new = select(empty, all_rows * detail::number_of<std::int64_t, S::dims.extents[1]>(), detail::after_entries);
            auto const keys = concat<0>(detail::keys_of_entries<S>(), of_new);
            auto const count = sum(cast<std::int32_t>(not_equal(keys, detail::after_entries)));
            return std::tuple{detail::by_keys<S::dims>(indices, values, keys, count), empty};
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
