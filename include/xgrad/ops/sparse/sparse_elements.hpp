// SPDX-License-Identifier: MIT
// Entries of sparse tensors with dense numbers, softmax of the entries of rows, sums and maxima of entries over axes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/segments.hpp>
#include <xgrad/ops/sparse/sparse_tensor.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class S, class B>
constexpr sparse_slip slip_of_dense(bool floating = false) {
    if constexpr (!Expr<B>) return sparse_slip::no_expression;
    else {
        value_info const& b = value_of<B>;
        dtype const type = value_of<values_of<S>>.type;
        if (b.wrong != fault::none) return sparse_slip::wrong;
        if ((b.type != type && b.type != dtype::literal) || (floating && !is_floating(type))) return sparse_slip::types;
        return repeats_to(b.dims, S::dims) ? sparse_slip::none : sparse_slip::shapes;
    }
}
template<sparse_slip Slip>
constexpr void check_dense() {
    static_assert(Slip != sparse_slip::types,
        "xgrad::sparse_dense_cwise_add, _mul or _div(s, x): x has another element type than the values of s; write cast<float>(x)");
    static_assert(Slip != sparse_slip::shapes,
        "xgrad::sparse_dense_cwise_add, _mul or _div(s, x): x does not repeat to the shape of s; write reshape or expand_dims");
}
/// s with join(values, the elements of x at the entries).
template<class S, class B, class F>
constexpr auto joined_at_entries(S const&, B const& x, F const& join) {
    if constexpr (!are_sparse<S>()) return refused{};
    else {
        constexpr sparse_slip slip = slip_of_dense<S, B>();
        check_dense<slip>();
        if constexpr (slip == sparse_slip::no_expression) return refuse_operand<B>();
        else if constexpr (slip != sparse_slip::none) return refused{};
        else {
            auto const numbers = [&] {
                if constexpr (value_of<B>.dims.rank == 0) return x;
                else return gather(reshaped_to<shape{1, {S::dims.size()}}>(repeated_to<S::dims>(x)), entry_numbers<S>());
            }();
            return sparse_like<S, S::dims>(S::indices, where_there<S>(join(S::values, numbers), literal<0>{}));
        }
    }
}

/// The row of each entry, if all axes but the last are joined to one; the number of rows for padding, and −1 for an entry outside.
template<class S>
constexpr auto rows_of_entries() {
    constexpr extent columns = S::dims.extents[S::dims.rank - 1], rows = size_between(S::dims, 0, S::dims.rank - 1);
    auto const all = entry_numbers<S>();
    return where_there<S>(
        or_outside<S>(all / maximum(number_of<std::int64_t, columns>(), constant<std::int64_t, 1>)), number_of<std::int64_t, rows>());
}
/// What remains of a shape without some axes.
template<shape S, int... Axes>
inline constexpr auto remaining = [] {
    struct {
        shape dims{};
        int axes[max_rank]{};
        bool fits = true;
    } r;
    bool gone[max_rank]{};
    int const list[]{Axes..., 0};
    for (std::size_t k = 0; k < sizeof...(Axes); ++k) {
        int const a = axis_of_rank(list[k], S.rank);
        if (a < 0 || gone[a]) r.fits = false;
        else gone[a] = true;
    }
    for (int a = 0; a < S.rank && sizeof...(Axes) > 0; ++a)
        if (!gone[a]) {
            r.axes[r.dims.rank] = a;
            r.dims.extents[r.dims.rank++] = S.extents[a];
        }
    return r;
}();
/// The row-major numbers in what remains, of which the axes before At are `before`.
template<class S, int At, int... Axes, class B>
constexpr auto number_in_remaining(B const& before) {
    constexpr auto left = remaining<S::dims, Axes...>;
    if constexpr (At == left.dims.rank) return before;
    else {
        constexpr int axis = left.axes[At];
        return number_in_remaining<S, At + 1, Axes...>(
            before * number_of<std::int64_t, S::dims.extents[axis]>() + coordinate<std::int64_t, axis>(S::indices));
    }
}
template<class S, int... Axes>
constexpr auto numbers_of_remaining() {
    return or_outside<S>(number_in_remaining<S, 0, Axes...>(constant<std::int64_t, 0>));
}
template<class S, int... Axes>
constexpr bool can_reduce() {
    if constexpr (!are_sparse<S>()) return false;
    else {
        constexpr bool fits = remaining<S::dims, Axes...>.fits;
        static_assert(fits,
            "xgrad::sparse_reduce_sum<axes...>(s), sparse_reduce_max: an axis does not exist in s or is there twice; write each axis once");
        return fits;
    }
}
}

/// The values of s plus x at their places, as a sparse tensor (TensorFlow's SparseDenseCwiseAdd). x repeats to the shape of s, or is a
/// number.
/// Gradient: of the values, g; of x, g at the entries.
template<class S, class B>
constexpr auto sparse_dense_cwise_add(S const& s, B const& x) {
    return detail::joined_at_entries(s, x, [](auto const& a, auto const& b) { return a + b; });
}
/// The values of s times x at their places, as a sparse tensor (TensorFlow's SparseDenseCwiseMul). x repeats to the shape of s, or is a
/// number.
/// Gradient: of the values, g times x; of x, g times the value at the entries.
template<class S, class B>
constexpr auto sparse_dense_cwise_mul(S const& s, B const& x) {
    return detail::joined_at_entries(s, x, [](auto const& a, auto const& b) { return a * b; });
}
/// The values of s divided by x at their places, as a sparse tensor (TensorFlow's SparseDenseCwiseDiv). x repeats to the shape of s, or is
/// a number.
/// Gradient: that of the quotient, of x at the entries.
template<class S, class B>
constexpr auto sparse_dense_cwise_div(S const& s, B const& x) {
    return detail::joined_at_entries(s, x, [](auto const& a, auto const& b) { return a / b; });
}
/// Softmax over the entries of each row, the last axis, as a sparse tensor (TensorFlow's sparse.softmax). What is not there counts as −∞.
/// The values are float or double, and each place has one entry. An index outside of the shape is a value_error.
/// Gradient: y (g − Σ y g) over the entries of a row.
template<class S>
constexpr auto sparse_softmax([[maybe_unused]] S const& s) {
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else {
        constexpr bool floating = is_floating(value_of<detail::values_of<S>>.type);
        static_assert(floating, "xgrad::sparse_softmax(s): the values of s are integers; write cast<float>(values)");
        if constexpr (!floating) return detail::refused{};
        else {
            constexpr extent rows = detail::size_between(S::dims, 0, S::dims.rank - 1),
                             segments = detail::is_counted<S> ? detail::one_more(rows) : rows;
            auto const row = detail::rows_of_entries<S>();
            auto const most = stop_gradient(gather(segment_max<segments>(S::values, row), row));
            auto const e = exp(S::values - most);
            auto const y = e / gather(segment_sum<segments>(e, row), row);
            return detail::sparse_like<S, S::dims>(S::indices, detail::where_there<S>(y, literal<0>{}));
        }
    }
}
/// The sums of the entries over axes as an array: `sparse_reduce_sum<1>(s)`; without axes, of all entries (TensorFlow's
/// sparse.reduce_sum). An index outside of the shape is a value_error.
/// Gradient: of the values, g of their sum.
template<int... Axes, class S>
constexpr auto sparse_reduce_sum([[maybe_unused]] S const& s) {
    if constexpr (!detail::can_reduce<S, Axes...>()) return detail::refused{};
    else {
        constexpr shape left = detail::remaining<S::dims, Axes...>.dims;
        return detail::reshaped_to<left>(segment_sum<left.size()>(S::values, detail::numbers_of_remaining<S, Axes...>()));
    }
}
/// The maxima of the entries over axes as an array, 0 where there is no entry (TensorFlow's sparse.reduce_max): `sparse_reduce_max<1>(s)`;
/// without axes, of all entries. Each place has one entry. NaN stays. An index outside of the shape is a value_error.
/// Gradient: of the values, g to the largest ones; tied ones share it equally.
template<int... Axes, class S>
constexpr auto sparse_reduce_max([[maybe_unused]] S const& s) {
    if constexpr (!detail::can_reduce<S, Axes...>()) return detail::refused{};
    else {
        constexpr shape left = detail::remaining<S::dims, Axes...>.dims;
        auto const ids = detail::numbers_of_remaining<S, Axes...>();
        if constexpr (!detail::is_counted<S>) return detail::reshaped_to<left>(segment_max<left.size()>(S::values, ids));
        else {
            auto const spare = detail::where_there<S>(ids, detail::number_of<std::int64_t, left.size()>());
            auto const all = segment_max<detail::one_more(left.size())>(S::values, spare);
            return detail::reshaped_to<left>(slice<0, std::int64_t{0}, left.size()>(all));
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
