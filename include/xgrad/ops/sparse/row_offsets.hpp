// SPDX-License-Identifier: MIT
// Rows of different lengths, one after the other: sparse matrices by row offsets (CSR), ragged arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/over_axes/cumulative.hpp>
#include <xgrad/ops/sparse/sparse_sets.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The row of each of n entries, by the offsets [rows + 1] at which rows begin; n is the extent in the attributes. All are −1 if the
/// offsets do not rise from 0 to n, which each lookup reports.
struct rows_of_offsets : kernel_op {
    static constexpr std::string_view name = "rows_of_offsets";
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) { return {v[0].type, a.target(), fault::none}; }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    template<class I>
    static void run(kernel_part const& part, tensor_view<I const, 1> offsets, tensor_view<I, 1> rows) {
        if (part.first == part.last) return;
        std::int64_t const m = offsets.size() - 1, n = rows.size();
        bool right = m >= 0 && offsets[0] == 0 && offsets[m] == n;
        for (std::int64_t r = 0; r < m; ++r) right = right && offsets[r] <= offsets[r + 1];
        std::fill(rows.data(), rows.data() + n, I(-1));
        for (std::int64_t r = 0; r < m && right; ++r) std::fill(rows.data() + offsets[r], rows.data() + offsets[r + 1], static_cast<I>(r));
    }
};
}

namespace detail {
template<class O, class... A>
constexpr sparse_slip slip_of_offsets(bool extents) {
    if constexpr (!Expr<O> || !(Expr<A> && ...)) return sparse_slip::no_expression;
    else {
        if (value_of<O>.wrong != fault::none || ((value_of<A>.wrong != fault::none) || ...)) return sparse_slip::wrong;
        if (!extents) return sparse_slip::extents;
        return is_integer(value_of<O>.type) && value_of<O>.dims.rank == 1 ? sparse_slip::none : sparse_slip::ids;
    }
}
template<extent N, class O>
constexpr auto rows_of(O const& offsets) {
    return apply<with_shape<op::rows_of_offsets, shape{1, {N}}>>(offsets);
}
/// Where each of n elements is in its row.
template<extent N, class O, class R>
constexpr auto places_in_rows(O const& offsets, R const& rows) {
    using I = cpp_type_t<value_of<O>.type>;
    return cast<I>(positions_along<N>{}) - gather(offsets, rows);
}
constexpr shape ones_after_first(shape s) {
    for (int a = 1; a < s.rank; ++a) s.extents[a] = static_extent(1);
    return s;
}
constexpr extent one_less(extent const& e) { return e - static_extent(1); }
template<std::int64_t Width, class V, class O>
constexpr bool can_be_ragged() {
    constexpr sparse_slip slip = slip_of_offsets<O, V>(true);
    static_assert(slip != sparse_slip::ids,
        "xgrad::csr_matrix(offsets, ...), ragged_to_...(values, offsets): the offsets are not integers [rows + 1]; write "
        "cast<std::int32_t>(offsets)");
    static_assert(Width >= 0, "xgrad::ragged_to_...<width>(values, offsets): width is negative; write an integer of at least 0");
    return Width >= 0 && slip == sparse_slip::none;
}
}

/// A sparse matrix [rows, Columns] by the offsets at which its rows begin, the columns of its entries and their values (compressed sparse
/// rows): `csr_matrix<6>(offsets, columns, values)`. The offsets are integers [rows + 1]: 0, ..., the number of entries. The columns have
/// their type. Offsets that do not rise are a value_error of the functions that read the matrix.
/// Gradient: that of sparse_tensor.
template<auto Columns, class O, class C, class V>
constexpr auto csr_matrix(O const& offsets, C const& columns, V const&) {
    using detail::sparse_slip;
    constexpr sparse_slip slip = [] {
        constexpr sparse_slip r = detail::slip_of_offsets<O, C, V>(detail::are_extents<Columns>);
        if constexpr (r != sparse_slip::none) return r;
        else {
            value_info const &c = value_of<C>, &v = value_of<V>;
            bool const fit = c.type == value_of<O>.type && c.dims.rank == 1 && c.dims == v.dims;
            return fit ? sparse_slip::none : sparse_slip::shapes;
        }
    }();
    detail::check_entries<slip == sparse_slip::extents ? slip : sparse_slip::none>();
    static_assert(slip != sparse_slip::ids,
        "xgrad::csr_matrix<columns>(offsets, columns, values): the offsets are not integers [rows + 1]; write cast<std::int32_t>(offsets)");
    static_assert(slip != sparse_slip::shapes,
        "xgrad::csr_matrix<columns>(offsets, columns, values): columns or values are not one for each entry, or columns have another type "
        "than offsets; write reshape or cast");
    if constexpr (slip == sparse_slip::no_expression) return detail::refuse_operand<O, C, V>();
    else if constexpr (slip != sparse_slip::none) return detail::refused{};
    else {
        constexpr extent rows = detail::one_less(value_of<O>.dims.extents[0]);
        return sparse_tensor<rows, Columns>(stack<-1>(detail::rows_of<value_of<C>.dims.extents[0]>(offsets), columns), V{});
    }
}
/// A sparse matrix as compressed sparse rows: `auto const [offsets, columns, values] = sparse_to_csr(s)`. The offsets are int32 [rows + 1].
/// Columns and values are those of sparse_reorder(s), with zeros after the last offset.
/// Gradient: of the values, that of the result at their new places.
template<class S>
constexpr auto sparse_to_csr(S const& s) {
    if constexpr (!detail::are_sparse<S>()) return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}};
    else {
        constexpr bool matrix = S::dims.rank == 2;
        static_assert(matrix, "xgrad::sparse_to_csr(s): s is not a matrix; write sparse_tensor<rows, columns>(indices, values)");
        if constexpr (!matrix) return std::tuple{detail::refused{}, detail::refused{}, detail::refused{}};
        else {
            using R = std::remove_const_t<decltype(sparse_reorder(s))>;
            auto const rows = detail::where_there<S>(detail::coordinate<std::int64_t, 0>(S::indices), constant<std::int64_t, -1>);
            auto const ends = cumsum<0>(bincount<S::dims.extents[0]>(rows));
            auto const offsets = concat<0>(detail::repeated_to<shape{1, {static_extent(1)}}>(constant<std::int32_t, 0>), ends);
            return std::tuple{offsets, squeeze<1>(slice<1, std::int64_t{1}, std::int64_t{2}>(R::indices)), R::values};
        }
    }
}
/// Rows of different lengths as an array [rows, Width, ...]: `ragged_to_dense<8>(values, offsets, 0_c)` (TensorFlow's
/// RaggedTensor.to_tensor). Row r has values[offsets[r]] to before values[offsets[r + 1]], then the number; elements beyond Width are
/// dropped. The offsets are integers [rows + 1] that rise from 0.
/// Gradient: of the values, g at their places, 0 for dropped ones; of the number, the sum of the others.
template<std::int64_t Width, class V, class O, class A>
constexpr auto ragged_to_dense(V const& values, O const& offsets, A const& number) {
    constexpr bool fits = detail::can_be_ragged<Width, V, O>();
    if constexpr (!Expr<V> || !Expr<O> || !Expr<A>) return detail::refuse_operand<V, O, A>();
    else if constexpr (!fits) return detail::refused{};
    else {
        using I = cpp_type_t<value_of<O>.type>;
        constexpr extent n = value_of<V>.dims.extents[0], rows = detail::one_less(value_of<O>.dims.extents[0]);
        auto const row = detail::rows_of<n>(offsets);
        auto const place = detail::places_in_rows<n>(offsets, row);
        constexpr shape flat{1, {rows * static_extent(Width)}};
        // row-major places of what fits; the rest goes to a place after the last one, which is cut off
        auto const at = select(less(row, constant<I, 0>), constant<I, -1>,
            select(less(place, constant<I, Width>), row * constant<I, Width> + place, detail::number_of<I, flat.extents[0]>()));
        constexpr shape whole = detail::replaced(value_of<V>.dims, 0, 1, flat);
        auto const there = greater(bincount<flat.extents[0]>(at), constant<std::int32_t, 0>);
        auto const put = slice<0, std::int64_t{0}, flat.extents[0]>(segment_sum<detail::one_more(flat.extents[0])>(values, at));
        return detail::reshaped_to<detail::replaced(value_of<V>.dims, 0, 1, shape{2, {rows, static_extent(Width)}})>(
            select(detail::reshaped_to<detail::ones_after_first(whole)>(there), put, number));
    }
}
/// Rows of different lengths as a sparse matrix [rows, Width]: `ragged_to_sparse<8>(values, offsets)` (TensorFlow's
/// RaggedTensor.to_sparse). An element beyond Width, or offsets that do not rise, are a value_error of the functions that read it.
/// Gradient: of the values, that of the entries.
template<std::int64_t Width, class V, class O>
constexpr auto ragged_to_sparse(V const&, O const& offsets) {
    constexpr bool fits = detail::can_be_ragged<Width, V, O>();
    if constexpr (!Expr<V> || !Expr<O>) return detail::refuse_operand<V, O>();
    else if constexpr (!fits) return detail::refused{};
    else {
        constexpr extent n = value_of<V>.dims.extents[0], rows = detail::one_less(value_of<O>.dims.extents[0]);
        auto const row = detail::rows_of<n>(offsets);
        return sparse_tensor<rows, Width>(stack<-1>(row, detail::places_in_rows<n>(offsets, row)), V{});
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
