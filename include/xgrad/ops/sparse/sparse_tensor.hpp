// SPDX-License-Identifier: MIT
// Sparse tensors as coordinates and values: how they are made, dense, transposed.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/positions.hpp>
#include <xgrad/ops/index/take.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// All entries of a sparse tensor are there.
struct all_entries {};
}

/// A sparse tensor of shape Dims: the types of its coordinates [n, rank], of its values [n], and of the number of its entries.
template<shape Dims, class Indices, class Values, class Count>
struct sparse_expression {
    using sparse_parts = void;
    static constexpr shape dims = Dims;
    static constexpr Indices indices{};
    static constexpr Values values{};
    static constexpr auto count = [] {   // entries from here on are padding: a coordinate of zeros and the value 0
        if constexpr (__is_same(Count, detail::all_entries)) return detail::number_of<std::int32_t, value_of<Values>.dims.extents[0]>();
        else return Count{};
    }();
};
template<class S>
concept Sparse = requires { typename std::remove_cvref_t<S>::sparse_parts; };

namespace detail {
enum class sparse_slip { none, no_expression, wrong, extents, ids, shapes, types, rank, axis, sizes };
template<class S>
inline constexpr bool is_counted = true;
template<shape Dims, class I, class V>
inline constexpr bool is_counted<sparse_expression<Dims, I, V, all_entries>> = false;

template<shape Dims, class I, class V>
constexpr sparse_slip slip_of_entries(bool extents) {
    if constexpr (!Expr<I> || !Expr<V>) return sparse_slip::no_expression;
    else {
        value_info const &ids = value_of<I>, &values = value_of<V>;
        if (ids.wrong != fault::none || values.wrong != fault::none) return sparse_slip::wrong;
        if (!extents) return sparse_slip::extents;
        if (!is_integer(ids.type)) return sparse_slip::ids;
        if (values.type == dtype::boolean || values.type == dtype::literal || is_half(values.type)) return sparse_slip::types;
        bool const fit = ids.dims.rank == 2 && values.dims.rank == 1 && ids.dims.extents[0] == values.dims.extents[0] &&
                         ids.dims.extents[1] == static_extent(Dims.rank);
        return fit ? sparse_slip::none : sparse_slip::shapes;
    }
}
// One sentence for each mistake of a pair of coordinates and values.
template<sparse_slip Slip>
constexpr void check_entries() {
    static_assert(Slip != sparse_slip::extents,
        "xgrad::sparse_tensor<d...>(indices, values): the shape is not one to six extents; write integers of at least 0 or named dimensions");
    static_assert(Slip != sparse_slip::ids,
        "xgrad::sparse_tensor<d...>(indices, values): the indices are not integers; write cast<std::int32_t>(indices)");
    static_assert(Slip != sparse_slip::types,
        "xgrad::sparse_tensor<d...>(indices, values): the values are bool, of 16 bits or a literal; write cast<float>(values)");
    static_assert(Slip != sparse_slip::shapes,
        "xgrad::sparse_tensor<d...>(indices, values): indices are not [n, rank] or values not [n], with one id for each extent; write "
        "reshape");
}
// The mistake of all functions that take a sparse tensor.
template<class... S>
constexpr bool are_sparse() {
    constexpr bool all = ((Sparse<S> || was_refused<S>)&&...);
    static_assert(all, "xgrad::sparse_...(s): an argument is not a sparse tensor; write sparse_tensor<4, 6>(indices, values), or "
                       "sparse_from_dense<capacity>(x)");
    return (Sparse<S> && ...);
}
template<class S>
using values_of = std::remove_const_t<decltype(S::values)>;
template<class S>
inline constexpr extent entries_of = value_of<values_of<S>>.dims.extents[0];
template<class S>
using value_type_of = cpp_type_t<value_of<values_of<S>>.type>;

/// A sparse tensor of parts that have the number of entries of `Like`.
template<class Like, shape Dims, class I, class V>
constexpr auto sparse_like(I const&, V const&) {
    if constexpr (is_counted<Like>) return sparse_expression<Dims, I, V, std::remove_const_t<decltype(Like::count)>>{};
    else return sparse_expression<Dims, I, V, all_entries>{};
}
template<shape Dims, class I, class V, class C>
constexpr auto counted(I const&, V const&, C const&) {
    return sparse_expression<Dims, I, V, C>{};
}
/// Which entries are no padding: bool [n].
template<class S>
constexpr auto entries_there() {
    return less(positions_along<entries_of<S>>{}, S::count);
}
/// The values, with `other` in place of padding.
template<class S, class V, class Other>
constexpr auto where_there(V const& values, Other const& other) {
    if constexpr (is_counted<S>) return select(entries_there<S>(), values, other);
    else return values;
}
/// The row-major numbers of the entries, int64 [n]. An entry outside of the shape has −1, which each lookup reports.
template<class S>
constexpr auto entry_numbers() {
    return rows_before<S::dims, std::int64_t, S::dims.rank - 1>(S::indices);
}
/// The ids where the entry is inside, else −1.
template<class S, class A>
constexpr auto or_outside(A const& ids) {
    return select(less(entry_numbers<S>(), constant<std::int64_t, 0>), constant<std::int64_t, -1>, ids);
}
/// The values summed at the entries, with the extents of the shape joined to one.
template<class S, class V>
constexpr auto summed_entries(V const& values) {
    return apply<with_shape<op::scatter, shape{1, {S::dims.size()}}>>(values, entry_numbers<S>());
}
template<int... P, class I>
constexpr auto exchanged_coordinates(I const& indices) {
    return concat<1>(slice<1, std::int64_t{P}, std::int64_t{P + 1}>(indices)...);
}
template<class S, int... P>
constexpr auto sparse_with_order() {
    constexpr shape d = [] {
        shape r{};
        ((r.extents[r.rank++] = S::dims.extents[P]), ...);
        return r;
    }();
    return sparse_like<S, d>(exchanged_coordinates<P...>(S::indices), S::values);
}
template<int... P>
constexpr bool is_order(int rank) {
    bool met[max_rank]{};
    for (int const a : std::initializer_list<int>{P...}) {
        if (a < 0 || a >= rank || met[a]) return false;
        met[a] = true;
    }
    return static_cast<int>(sizeof...(P)) == rank;
}
}

/// A sparse tensor of shape D..., by the coordinates and the values of its entries (TensorFlow's SparseTensor, PyTorch's
/// sparse_coo_tensor): `sparse_tensor<4, 6>(indices, values)`.
/// The indices are int32 or int64 [n, rank], the values [n] of any numbers. The extents are
/// integers or named dimensions. The entries are in any order. Several entries of one place are summed, as in PyTorch. `s.indices`,
/// `s.values` and `s.count` are expressions. An index outside of the shape is a value_error of the functions that read it.
/// Gradient: of the values, that of the functions that take the tensor; of the indices none.
template<auto... D, class I, class V>
constexpr auto sparse_tensor([[maybe_unused]] I const& indices, [[maybe_unused]] V const& values) {
    using detail::sparse_slip;
    constexpr bool extents = sizeof...(D) >= 1 && sizeof...(D) <= max_rank && detail::are_extents<D...>;
    constexpr shape s = [] {
        if constexpr (extents) return make_shape<D...>();
        else return shape{};
    }();
    constexpr sparse_slip slip = detail::slip_of_entries<s, I, V>(extents);
    detail::check_entries<slip>();
    if constexpr (slip == sparse_slip::no_expression) return detail::refuse_operand<I, V>();
    else if constexpr (slip != sparse_slip::none) return detail::refused{};
    else return sparse_expression<s, I, V, detail::all_entries>{};
}
/// The elements of x that are not zero as a sparse tensor, in row-major order (TensorFlow's sparse.from_dense, in a fixed size):
/// `sparse_from_dense<8>(x)` has 8 entries. `s.count` says how many are used; elements beyond the capacity are dropped, but are counted.
/// Gradient: of x, that of the values at their places, zero elsewhere.
template<auto Capacity, class A>
constexpr auto sparse_from_dense(A const& x) {
    auto const [at, count] = nonzero<Capacity>(x);
    if constexpr (detail::was_refused<std::remove_cvref_t<decltype(at)>>) return detail::refused{};
    else {
        constexpr shape s = value_of<A>.dims;
        auto const numbers = gather_nd(x, at);
        auto const values = select(less(detail::positions_along<make_shape<Capacity>().extents[0]>{}, count), numbers, literal<0>{});
        return detail::counted<s>(at, values, count);
    }
}
/// A sparse tensor as an array: its values at their places, zero elsewhere; several entries of one place are summed (TensorFlow's
/// sparse.to_dense, PyTorch's to_dense). An index outside of the shape is a value_error.
/// Gradient: of the values, g at their places.
template<class S>
constexpr auto sparse_to_dense([[maybe_unused]] S const& s) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else return detail::reshaped_to<S::dims>(detail::summed_entries<S>(S::values));
}
/// The same with a number where there is no entry: `sparse_to_dense(s, -1_c)`.
/// Gradient: of the values, g at their places; of the number, the sum of g elsewhere.
template<class S, class A>
constexpr auto sparse_to_dense([[maybe_unused]] S const& s, A const& other) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else if constexpr (!Expr<A>) return detail::refuse_operand<A>();
    else {
        auto const ones = detail::repeated_to<shape{1, {detail::entries_of<S>}}>(constant<std::int32_t, 1>);
        auto const there = detail::summed_entries<S>(detail::where_there<S>(ones, constant<std::int32_t, 0>));
        auto const sums = detail::summed_entries<S>(S::values);
        return detail::reshaped_to<S::dims>(select(greater(there, constant<std::int32_t, 0>), sums, other));
    }
}
/// A sparse tensor with its axes in another order: `sparse_transpose<1, 0>(s)`. Without axes they are reversed (TensorFlow's
/// sparse.transpose). The entries keep their order.
/// Gradient: of the values, that of the result.
template<int... P, class S>
constexpr auto sparse_transpose([[maybe_unused]] S const& s) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else {
        constexpr int rank = S::dims.rank;
        constexpr bool order = sizeof...(P) == 0 || detail::is_order<P...>(rank);
        static_assert(order, "xgrad::sparse_transpose<p...>(s): an axis does not exist in s or is there twice; write each axis of s once");
        if constexpr (!order) return detail::refused{};
        else if constexpr (sizeof...(P) > 0) return detail::sparse_with_order<S, P...>();
        else
            return []<int... K>(std::integer_sequence<int, K...>) { return detail::sparse_with_order<S, rank - 1 - K...>(); }(
                       std::make_integer_sequence<int, rank>{});
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
