// SPDX-License-Identifier: MIT
// Positions as an expression, triangles, bands and diagonals of matrices. All are made of comparisons of positions, which take no memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/reduce.hpp>

XGRAD_NAMESPACE_BEGIN

/// 0, 1, ... Length − 1, as std::int32_t unless T says otherwise. Length is an integer or a named dimension. It is computed
/// where it is read, and takes no memory.
/// Gradient: none.
template<auto Length, Element T = std::int32_t>
constexpr auto arange() {
    constexpr bool length = detail::are_extents<Length>;
    static_assert(length, "xgrad::arange<length>(): length is not an integer of at least 0, or a named dimension; write arange<10>()");
    if constexpr (!length) return detail::refused{};
    else {
        constexpr detail::positions_along<make_shape<Length>().extents[0]> positions{};
        if constexpr (std::is_same_v<T, std::int32_t>) return positions;
        else return cast<T>(positions);
    }
}

namespace detail {
template<auto Start, auto Stop, auto Step>
constexpr bool is_sequence() {
    if constexpr (!std::is_integral_v<decltype(Start)> || !std::is_integral_v<decltype(Step)>) return false;
    else if constexpr (std::is_integral_v<decltype(Stop)>) return Step != 0;
    else return is_dim_operand<std::remove_cvref_t<decltype(Stop)>> && Step > 0;
}
}
/// Start, Start + Step, ... before Stop, as std::int32_t unless T says otherwise: `arange<2, 10>()`, `arange<10, 0, -2>()` (NumPy's
/// arange(start, stop, step)). Start and Step are integers, Step is not 0. Stop is an integer, or a named dimension for a Step above 0.
/// It has no elements if Stop is on the other side of Start; a named dimension below Start is a shape_error.
/// Gradient: none.
template<auto Start, auto Stop, auto Step = 1, Element T = std::int32_t>
constexpr auto arange() {
    constexpr bool fits = detail::is_sequence<Start, Stop, Step>();
    static_assert(fits,
        "xgrad::arange<start, stop, step>(): start or step is not an integer, step is 0, or stop is neither an integer nor a named "
        "dimension; write arange<2, 10>()");
    if constexpr (!fits) return detail::refused{};
    else {
        constexpr extent length = [] {
            constexpr auto from = static_cast<std::int64_t>(Start), step = static_cast<std::int64_t>(Step);
            if constexpr (std::is_integral_v<decltype(Stop)>) {
                constexpr std::int64_t span = static_cast<std::int64_t>(Stop) - from;
                return static_extent((span > 0) == (step > 0) && span != 0 ? (span + step - (step > 0 ? 1 : -1)) / step : 0);
            } else return (make_shape<Stop>().extents[0] - static_extent(from) + static_extent(step - 1)) / step;
        }();
        auto const places = cast<T>(detail::positions_along<length>{});
        if constexpr (Start == 0 && Step == 1) return places;
        else return constant<T, static_cast<std::int64_t>(Start)> + constant<T, static_cast<std::int64_t>(Step)> * places;
    }
}

namespace detail {
/// [1, ..., length, ..., 1] with `rank` axes.
constexpr shape length_at(int rank, int axis, extent const& length) {
    shape s{rank, {}};
    for (int i = 0; i < rank; ++i) s.extents[i] = i == axis ? length : static_extent(1);
    return s;
}
/// The positions along an extent as an array with `Rank` axes, of which `Axis` has it.
template<extent Length, int Rank, int Axis>
constexpr auto places_along() {
    return reshaped_to<length_at(Rank, Axis, Length)>(positions_along<Length>{});
}
/// The extent of an axis of A from the end.
template<class A>
constexpr extent extent_from_end(int k) {
    return value_of<A>.dims.extents[value_of<A>.dims.rank - k];
}
// The numbers of the columns and of the rows in the last two axes of A.
template<class A>
constexpr auto columns_and_rows() {
    constexpr int rank = value_of<A>.dims.rank;
    return std::pair{places_along<extent_from_end<A>(1), rank, rank - 1>(), places_along<extent_from_end<A>(2), rank, rank - 2>()};
}
template<long long N>
inline constexpr auto whole_number = constant<std::int32_t, static_cast<std::int32_t>(N)>;

enum class diagonal_slip { none, no_expression, wrong, rank, not_square, many_axes };
template<class A>
constexpr diagonal_slip diagonal_slip_of(bool square) {
    if constexpr (!Expr<A>) return diagonal_slip::no_expression;
    else {
        shape const& s = value_of<A>.dims;
        if (value_of<A>.wrong != fault::none) return diagonal_slip::wrong;
        if (s.rank < 2) return diagonal_slip::rank;
        return square && !(s.extents[s.rank - 1] == s.extents[s.rank - 2]) ? diagonal_slip::not_square : diagonal_slip::none;
    }
}
}

/// The elements on the diagonal and below, zeros above, of the last two axes: the mask of causal attention.
/// `tril<1>(x)` also keeps the diagonal above, `tril<-1>(x)` not even the main one (NumPy's k).
/// Gradient: g where x is kept, zero elsewhere.
template<int Diagonal = 0, class A>
constexpr auto tril(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = detail::diagonal_slip_of<A>(false);
    static_assert(slip != diagonal_slip::rank, "xgrad::tril<diagonal>(x): x has fewer than two axes; write expand_dims<0>(x)");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else {
        auto const [column, row] = detail::columns_and_rows<A>();
        return select(less_equal(column, row + detail::whole_number<Diagonal>), x, literal<0>{});
    }
}
/// The elements on the diagonal and above, zeros below, of the last two axes. `triu<1>(x)` leaves the main diagonal zero.
/// Gradient: g where x is kept, zero elsewhere.
template<int Diagonal = 0, class A>
constexpr auto triu(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = detail::diagonal_slip_of<A>(false);
    static_assert(slip != diagonal_slip::rank, "xgrad::triu<diagonal>(x): x has fewer than two axes; write expand_dims<0>(x)");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else {
        auto const [column, row] = detail::columns_and_rows<A>();
        return select(greater_equal(column, row + detail::whole_number<Diagonal>), x, literal<0>{});
    }
}
/// A band around the diagonal of the last two axes, zeros elsewhere: at most Lower diagonals below and Upper above the main
/// one; a negative number keeps all (TensorFlow's matrix_band_part).
/// Gradient: g where x is kept, zero elsewhere.
template<int Lower, int Upper, class A>
constexpr auto band_part(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = detail::diagonal_slip_of<A>(false);
    static_assert(slip != diagonal_slip::rank, "xgrad::band_part<lower, upper>(x): x has fewer than two axes; write expand_dims<0>(x)");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else if constexpr (Lower < 0 && Upper < 0) return x;
    else if constexpr (Lower < 0) return tril<Upper>(x);
    else if constexpr (Upper < 0) return triu<-Lower>(x);
    else return tril<Upper>(triu<-Lower>(x));
}
/// Matrices with the last axis of x as diagonal, zeros elsewhere: [..., n, n] of [..., n].
/// Gradient: the diagonal of g.
template<class A>
constexpr auto diag(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A>) return diagonal_slip::no_expression;
        else if (value_of<A>.wrong != fault::none) return diagonal_slip::wrong;
        else
            return value_of<A>.dims.rank == max_rank ? diagonal_slip::many_axes
                   : value_of<A>.dims.rank == 0      ? diagonal_slip::rank
                                                     : diagonal_slip::none;
    }();
    static_assert(slip != diagonal_slip::rank, "xgrad::diag(x): x has no axis; write expand_dims<0>(x)");
    static_assert(slip != diagonal_slip::many_axes, "xgrad::diag(x): x has six axes already; reshape it first");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else {
        constexpr int rank = value_of<A>.dims.rank + 1;
        constexpr extent n = detail::extent_from_end<A>(1);
        auto const column = detail::places_along<n, rank, rank - 1>();
        auto const row = detail::places_along<n, rank, rank - 2>();
        return select(equal(column, row), expand_dims<-1>(x), literal<0>{});
    }
}
/// The diagonals of square matrices, the last two axes: [..., n] of [..., n, n].
/// Gradient: matrices with g as diagonal.
template<class A>
constexpr auto diag_part(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = detail::diagonal_slip_of<A>(true);
    static_assert(slip != diagonal_slip::rank, "xgrad::diag_part(x): x has fewer than two axes; write diag(x) for a matrix of a vector");
    static_assert(slip != diagonal_slip::not_square, "xgrad::diag_part(x): the last two extents of x differ; slice the longer axis");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else {
        auto const [column, row] = detail::columns_and_rows<A>();
        return sum<-1>(select(equal(column, row), x, literal<0>{}));
    }
}
/// The sums of the diagonals of square matrices, the last two axes.
/// Gradient: g on the diagonal, zero elsewhere.
template<class A>
constexpr auto trace(A const& x) {
    using detail::diagonal_slip;
    constexpr auto slip = detail::diagonal_slip_of<A>(true);
    static_assert(slip != diagonal_slip::rank, "xgrad::trace(x): x has fewer than two axes; write sum(x) for a vector");
    static_assert(slip != diagonal_slip::not_square, "xgrad::trace(x): the last two extents of x differ; slice the longer axis");
    if constexpr (slip == diagonal_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != diagonal_slip::none) return detail::refused{};
    else {
        auto const [column, row] = detail::columns_and_rows<A>();
        return sum<-2, -1>(select(equal(column, row), x, literal<0>{}));
    }
}
/// The identity matrix [N, N] in element type T, which takes no memory.
/// Gradient: none.
template<auto N, Element T = float>
constexpr auto eye() {
    constexpr bool length = detail::are_extents<N>;
    static_assert(length, "xgrad::eye<n>(): n is not an integer of at least 0, or a named dimension; write eye<4>()");
    if constexpr (!length) return detail::refused{};
    else {
        constexpr extent n = make_shape<N>().extents[0];
        return cast<T>(equal(detail::places_along<n, 2, 1>(), detail::places_along<n, 2, 0>()));
    }
}

namespace detail {
template<class A, int Function>
constexpr refused refuse_diagonal_argument() {
    static_assert(
        sizeof(A) == 0, "xgrad::tril(x), triu(x): the number of a diagonal is an argument; write it in angle brackets: tril<1>(x)");
    return {};
}
}
// NumPy's tril(x, 1).
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto tril(A const&, N const&...) {
    return detail::refuse_diagonal_argument<A, 0>();
}
template<class A, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto triu(A const&, N const&...) {
    return detail::refuse_diagonal_argument<A, 1>();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
