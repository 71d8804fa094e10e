// SPDX-License-Identifier: MIT
// Rows joined by segment, and elements counted: segment sums, means and extrema, bincount, histograms.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/segment_loops.hpp>
#include <xgrad/ops/exponential.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<auto Segments, class A, class B>
constexpr index_slip slip_of_segments(bool floating = false) {
    constexpr auto slip = slip_of_ids<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else if constexpr (!are_extents<Segments>) return index_slip::segments;
    else {
        shape const &x = value_of<A>.dims, &ids = value_of<B>.dims;
        dtype const type = computed_type(value_of<A>.type);
        if (floating ? !is_floating(type) : type == dtype::boolean) return index_slip::types;
        if (ids.rank < 1 || ids.rank > x.rank) return index_slip::rank;
        for (int a = 0; a < ids.rank; ++a)
            if (!(x.extents[a] == ids.extents[a])) return index_slip::shapes;
        return index_slip::none;
    }
}
// One sentence for each mistake of all segment functions.
template<index_slip Slip>
constexpr void check_segments() {
    check_ids<Slip>();
    static_assert(Slip != index_slip::segments,
        "xgrad::segment_...<segments>(x, ids), bincount<n>(ids): the number of segments is neither an integer of at least 0 nor a named "
        "dimension; write segment_sum<10>(x, ids)");
    static_assert(Slip != index_slip::types,
        "xgrad::segment_...<segments>(x, ids): x is bool, or not float or double for a mean, sqrt_n or histogram; write cast<float>(x)");
    static_assert(Slip != index_slip::rank,
        "xgrad::segment_...<segments>(x, ids): ids have no axis, or more axes than x; write expand_dims or reshape");
    static_assert(Slip != index_slip::shapes,
        "xgrad::segment_...<segments>(x, ids), bincount<n>(ids, weights): the extents of ids are not the first extents of x; write reshape");
}
/// x as [rows, rest...], ids as [rows], and what comes of them.
template<class A, class B>
struct segment_shapes {
    static constexpr shape x = value_of<A>.dims, ids = value_of<B>.dims;
    static constexpr shape line{1, {ids.size()}}, rows = replaced(x, 0, ids.rank, line);
    static constexpr shape result(extent const& segments) { return replaced(x, 0, ids.rank, shape{1, {segments}}); }
    /// [segments, 1, ...], for one number of each segment.
    static constexpr shape each(extent const& segments) {
        shape r = result(segments);
        for (int a = 1; a < r.rank; ++a) r.extents[a] = static_extent(1);
        return r;
    }
};
template<extent Segments, class A, class B>
constexpr auto segment_total(A const& x, B const& ids) {
    using S = segment_shapes<A, B>;
    return apply<with_shape<op::scatter, S::result(Segments)>>(reshaped_to<S::rows>(x), reshaped_to<S::line>(ids));
}
template<class Op, extent Segments, class A, class B>
constexpr auto segment_joined(A const& x, B const& ids) {
    using S = segment_shapes<A, B>;
    constexpr extent one = static_extent(1), n = S::ids.size(), inner = size_after_first(S::rows);
    return reshaped_to<S::result(Segments)>(
        apply<with_shape<Op, shape{1, {Segments}}>>(reshaped_to<four(one, one, n, one)>(ids), reshaped_to<four(one, one, n, inner)>(x)));
}
/// The number of rows of each segment, [segments, 1, ...], int32.
template<extent Segments, class A, class B>
constexpr auto segment_counts(B const& ids) {
    using S = segment_shapes<A, B>;
    return reshaped_to<S::each(Segments)>(apply<with_shape<op::bincount, shape{1, {Segments}}>>(reshaped_to<S::line>(ids)));
}
/// Counts as divisors, of which none is 0.
template<class A, class C>
constexpr auto divisors(C const& counts) {
    return cast<cpp_type_t<computed_type(value_of<A>.type)>>(maximum(counts, constant<std::int32_t, 1>));
}
/// Negative ids become a last segment that is cut off. Other ids beyond the segments become −1, which the kernel then reports.
template<extent Segments, class B>
constexpr auto spare_segment(B const& ids) {
    using I = cpp_type_t<value_of<B>.type>;
    auto const n = number_of<I, Segments>();
    return select(less(ids, constant<I, 0>), n, select(less(ids, n), ids, constant<I, -1>));
}
template<auto Segments>
inline constexpr extent segment_count = make_shape<Segments>().extents[0];
inline constexpr extent one_more(extent const& e) { return e + static_extent(1); }

// The functions below check, and call join(x, ids), or with a spare segment join(x, ids) of one segment more.
template<auto Segments, bool Floating, class A, class B, class F>
constexpr auto sorted_segments(A const& x, B const& ids, F const& join) {
    constexpr auto slip = slip_of_segments<Segments, A, B>(Floating);
    check_segments<slip>();
    if constexpr (slip == index_slip::no_expression) return refuse_operand<A, B>();
    else if constexpr (slip != index_slip::none) return refused{};
    else return join.template operator()<segment_count<Segments>>(x, ids);
}
template<auto Segments, bool Floating, class A, class B, class F>
constexpr auto unsorted_segments(A const& x, B const& ids, F const& join) {
    constexpr auto slip = slip_of_segments<Segments, A, B>(Floating);
    check_segments<slip>();
    if constexpr (slip == index_slip::no_expression) return refuse_operand<A, B>();
    else if constexpr (slip != index_slip::none) return refused{};
    else
        return slice<0, std::int64_t{0}, Segments>(
            join.template operator()<one_more(segment_count<Segments>)>(x, spare_segment<segment_count<Segments>>(ids)));
}
struct join_sum {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        return segment_total<Segments>(x, ids);
    }
};
struct join_mean {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        return segment_total<Segments>(x, ids) / divisors<A>(segment_counts<Segments, A>(ids));
    }
};
struct join_sqrt_n {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        return segment_total<Segments>(x, ids) / sqrt(divisors<A>(segment_counts<Segments, A>(ids)));
    }
};
template<xgrad::combine How>
struct join_by {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        return segment_joined<op::put_along<How, false>, Segments>(x, ids);
    }
};
/// An extremum, 0 for a segment without rows.
template<xgrad::combine How>
struct join_or_zero {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        return segment_joined<op::segment_extrema<How>, Segments>(x, ids);
    }
};
template<class T, bool Largest>
inline constexpr auto limit_of = cast<T>(literal<std::bit_cast<std::uint64_t>(
        static_cast<double>(Largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest()))>{});
/// An extremum, the outermost finite number for a segment without rows.
template<xgrad::combine How>
struct join_or_limit {
    template<extent Segments, class A, class B>
    constexpr auto operator()(A const& x, B const& ids) const {
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        auto const y = segment_joined<op::put_along<How, false>, Segments>(x, ids);
        if constexpr (std::is_integral_v<T>) return y;
        else if constexpr (How == xgrad::combine::max) return select(less(y, limit_of<T, false>), limit_of<T, false>, y);
        else return select(greater(y, limit_of<T, true>), limit_of<T, true>, y);
    }
};
}

/// The sums of the rows of each segment (TensorFlow's segment_sum): y[s] is the sum of the x[i] with ids[i] = s. ids (int32 or int64) have
/// the first extents of x, mostly [rows], and the result has Segments in their place: an integer or a named dimension. The sum of no
/// rows is 0. An id outside of 0 ... Segments − 1 is a value_error, as in gather. Ids need not be sorted. Element types are numbers.
/// Gradient: g of the segment of each row (gather).
template<auto Segments, class A, class B>
constexpr auto segment_sum(A const& x, B const& ids) {
    return detail::sorted_segments<Segments, false>(x, ids, detail::join_sum{});
}
/// The means of the rows of each segment, 0 for no rows (TensorFlow's segment_mean). The arguments are those of segment_sum, and x is
/// float or double.
/// Gradient: g of the segment of each row, divided by the number of rows.
template<auto Segments, class A, class B>
constexpr auto segment_mean(A const& x, B const& ids) {
    return detail::sorted_segments<Segments, true>(x, ids, detail::join_mean{});
}
/// The maxima of the rows of each segment, 0 for no rows (TensorFlow's segment_max). The arguments are those of segment_sum. NaN stays.
/// Gradient: g to the largest elements; tied ones share it equally.
template<auto Segments, class A, class B>
constexpr auto segment_max(A const& x, B const& ids) {
    return detail::sorted_segments<Segments, false>(x, ids, detail::join_or_zero<combine::max>{});
}
/// The minima of the rows of each segment, 0 for no rows (TensorFlow's segment_min). The arguments are those of segment_sum. NaN stays.
/// Gradient: g to the smallest elements; tied ones share it equally.
template<auto Segments, class A, class B>
constexpr auto segment_min(A const& x, B const& ids) {
    return detail::sorted_segments<Segments, false>(x, ids, detail::join_or_zero<combine::min>{});
}
/// The products of the rows of each segment, 1 for no rows (TensorFlow's segment_prod). The arguments are those of segment_sum. Integers
/// wrap around.
/// Gradient: g times the product of the others of the segment, also if some are 0.
template<auto Segments, class A, class B>
constexpr auto segment_prod(A const& x, B const& ids) {
    return detail::sorted_segments<Segments, false>(x, ids, detail::join_by<combine::mul>{});
}
/// segment_sum that omits rows with a negative id (TensorFlow's unsorted_segment_sum). An id of at least Segments is a value_error.
/// Gradient: g of the segment of each row, 0 for omitted rows.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_sum(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, false>(x, ids, detail::join_sum{});
}
/// segment_mean that omits rows with a negative id (TensorFlow's unsorted_segment_mean).
/// Gradient: g of the segment of each row, divided by the number of rows; 0 for omitted rows.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_mean(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, true>(x, ids, detail::join_mean{});
}
/// The sum of the rows of each segment, divided by the square root of their number; 0 for no rows. Rows with a negative id are omitted
/// (TensorFlow's unsorted_segment_sqrt_n).
/// Gradient: g of the segment of each row, divided by that root; 0 for omitted rows.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_sqrt_n(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, true>(x, ids, detail::join_sqrt_n{});
}
/// segment_max that omits rows with a negative id. For no rows it is the lowest finite number of the type, such as −3.4e38 (TensorFlow's
/// unsorted_segment_max).
/// Gradient: g to the largest elements; tied ones share it equally.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_max(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, false>(x, ids, detail::join_or_limit<combine::max>{});
}
/// segment_min that omits rows with a negative id. For no rows it is the largest finite number of the type (TensorFlow's
/// unsorted_segment_min).
/// Gradient: g to the smallest elements; tied ones share it equally.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_min(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, false>(x, ids, detail::join_or_limit<combine::min>{});
}
/// segment_prod that omits rows with a negative id (TensorFlow's unsorted_segment_prod).
/// Gradient: g times the product of the others of the segment, also if some are 0; 0 for omitted rows.
template<auto Segments, class A, class B>
constexpr auto unsorted_segment_prod(A const& x, B const& ids) {
    return detail::unsorted_segments<Segments, false>(x, ids, detail::join_by<combine::mul>{});
}

/// How often each of 0 ... N − 1 is among the ids (int32 or int64, any shape): int32 of shape [N]. N is an integer or a named dimension.
/// Other ids are not counted (TensorFlow's bincount with maxlength, which has an error for negative ids).
/// Gradient: none.
template<auto N, class A>
constexpr auto bincount(A const& ids) {
    using detail::index_slip;
    constexpr auto slip = [] {
        constexpr auto of_ids = detail::slip_of_ids<A, A>();
        if constexpr (of_ids != index_slip::none) return of_ids;
        else return detail::are_extents<N> ? index_slip::none : index_slip::segments;
    }();
    detail::check_segments<slip>();
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else
        return apply<detail::with_shape<op::bincount, shape{1, {detail::segment_count<N>}}>>(
            detail::reshaped_to<shape{1, {value_of<A>.dims.size()}}>(ids));
}
/// The sum of the weights of each of 0 ... N − 1 among the ids (NumPy's and TensorFlow's bincount with weights), in the element type of
/// the weights. Weights have the shape of the ids. Other ids are not counted.
/// Gradient: of the weights, g at the ids, 0 where they are not counted.
template<auto N, class A, class W>
    requires Expr<W>
constexpr auto bincount(A const& ids, W const& weights) {
    using detail::index_slip;
    constexpr auto slip = [] {
        constexpr auto of_segments = detail::slip_of_segments<N, W, A>();
        if constexpr (of_segments != index_slip::none) return of_segments;
        else return value_of<W>.dims.rank == value_of<A>.dims.rank ? index_slip::none : index_slip::shapes;
    }();
    detail::check_segments<slip>();
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, W>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        using I = cpp_type_t<value_of<A>.type>;
        constexpr extent n = detail::segment_count<N>;
        auto const counted = logical_and(greater_equal(ids, constant<I, 0>), less(ids, detail::number_of<I, n>()));
        return slice<0, std::int64_t{0}, N>(
            detail::segment_total<detail::one_more(n)>(weights, select(counted, ids, detail::number_of<I, n>())));
    }
}
/// How many elements of x are in each of N intervals of equal length between two numbers: int32 of shape [N] (TensorFlow's
/// histogram_fixed_width): `histogram_fixed_width<10>(x, 0_c, 1_c)`. Smaller elements are in the first interval, larger ones in the
/// last. NaN is not counted. low and high are numbers such as 0_c or scalars of the element type of x, float or double.
/// Gradient: none.
template<auto N, class A, class L, class H>
constexpr auto histogram_fixed_width(A const& x, L const& low, H const& high) {
    using detail::index_slip;
    constexpr auto slip = [] {
        if constexpr (!Expr<A> || !Expr<L> || !Expr<H>) return index_slip::no_expression;
        else {
            if (value_of<A>.wrong != fault::none || value_of<L>.wrong != fault::none || value_of<H>.wrong != fault::none)
                return index_slip::wrong;
            if (!detail::are_extents<N>) return index_slip::segments;
            auto const fits = [](value_info const& v) {
                return v.dims.rank == 0 && (v.type == dtype::literal || v.type == value_of<A>.type);
            };
            return is_floating(value_of<A>.type) && fits(value_of<L>) && fits(value_of<H>) ? index_slip::none : index_slip::types;
        }
    }();
    static_assert(slip != index_slip::segments,
        "xgrad::histogram_fixed_width<n>(x, low, high): n is neither an integer of at least 0 nor a named dimension; write "
        "histogram_fixed_width<10>(x, 0_c, 1_c)");
    static_assert(slip != index_slip::types,
        "xgrad::histogram_fixed_width<n>(x, low, high): x is neither float nor double, or low and high are not numbers such as 0_c; write "
        "cast<float>(x)");
    if constexpr (slip == index_slip::no_expression) return detail::refuse_operand<A, L, H>();
    else if constexpr (slip != index_slip::none) return detail::refused{};
    else {
        using T = cpp_type_t<value_of<A>.type>;
        auto const from = cast<T>(low);
        auto const intervals = cast<double>(detail::number_of<std::int64_t, detail::segment_count<N>>());
        auto const place = cast<double>(maximum(x, from) - from) / (cast<double>(cast<T>(high) - from) / intervals);
        auto const last = minimum(place, intervals - constant<double, 1>);
        return bincount<N>(cast<std::int32_t>(select(equal(x, x), last, constant<double, -1>)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
