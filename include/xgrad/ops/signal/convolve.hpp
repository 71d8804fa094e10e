// SPDX-License-Identifier: MIT
// Convolution and correlation of signals with one axis, or of the rows of several. ops/convolution has those of images with channels.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/diagonals.hpp>
#include <xgrad/ops/flip.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/signal/sliding_products.hpp>

XGRAD_NAMESPACE_BEGIN

/// Which results of convolve and correlate there are. full: all n + m − 1, same: as many as the longer operand has, in the middle,
/// valid: those to which all elements of the shorter operand contribute.
enum class convolve_mode { full, same, valid };

namespace op {
struct sliding_attributes {
    std::int64_t before, after;   // results before the first whole window, and after the last one
};
/// The sum of a gradient over the rows of an operand that has one row for all.
constexpr symbol rows_like(derivation& d, symbol g, int operand) {
    bool const one = is_one(d.info(operand).dims.extents[0]) && !is_one(d.table->info(g).dims.extents[0]);
    return one ? sum_over(g, axis_set::of(0), true) : g;
}
/// The first row that two operands with `a` and `b` rows share, and the extent of both together.
constexpr extent rows_of_both(shape const& a, shape const& b) { return is_one(a.extents[0]) ? b.extents[0] : a.extents[0]; }
template<class T>
XGRAD_INLINE void slide_rows(
    kernel_part const& part, tensor_view<T const, 2> x, tensor_view<T const, 2> w, std::int64_t before, tensor_view<T, 2> y) {
    std::int64_t const n = x.shape(1), m = w.shape(1), count = y.shape(1);
    for (std::int64_t row = part.first; row < part.last; ++row)
        detail::sliding::run(x.data() + (x.shape(0) == 1 ? 0 : row) * n, n, w.data() + (w.shape(0) == 1 ? 0 : row) * m, m, before,
            y.data() + row * count, count);
}
/// Sums of x [rows, n] along a gradient [rows, ...]: those of the filter, [rows, m], for each row.
struct sliding_filter_gradient : kernel_op {
    struct attributes {
        std::int64_t before, after, size;
    };
    static constexpr std::string_view name = "sliding_filter_gradient";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        return {v[0].type, {2, {rows_of_both(v[0].dims, v[1].dims), static_extent(a.as<attributes>().size)}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(2).extents[0]; }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(2).size() * v.dims(1).extents[1] * static_extent(2); }
    template<class T>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, 2> x, tensor_view<T const, 2> g, tensor_view<T, 2> w) {
        slide_rows(part, x, g, a.before, w);
    }
    static constexpr void derive(derivation& d);
};
/// y[k] = Σ_j x[k − before + j] w[j] of rows x [rows, n] and w [rows, m], where m is an integer. One of both may have one row for all.
struct sliding_products : kernel_op {
    using attributes = sliding_attributes;
    static constexpr std::string_view name = "sliding_products";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        auto const how = a.as<attributes>();
        extent const count = v[0].dims.extents[1] - v[1].dims.extents[1] + static_extent(how.before + how.after + 1);
        return {v[0].type, {2, {rows_of_both(v[0].dims, v[1].dims), count}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(2).extents[0]; }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(2).size() * v.dims(1).extents[1] * static_extent(2); }
    template<class T>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, 2> x, tensor_view<T const, 2> w, tensor_view<T, 2> y) {
        slide_rows(part, x, w, a.before, y);
    }
    static constexpr void derive(derivation& d) {
        auto const how = d.attrs->as<attributes>();
        std::int64_t const m = d.info(1).dims.extents[1].constant;
        if (d.wanted[0])
            d.out[0] = rows_like(d,
                apply_with<sliding_products>({m - 1 - how.before, m - 1 - how.after}, d.gradient, apply<reversed_row>(d.operands[1])), 0);
        if (d.wanted[1])
            d.out[1] = rows_like(d, apply_with<sliding_filter_gradient>({how.before, how.after, m}, d.operands[0], d.gradient), 1);
    }
};
constexpr void sliding_filter_gradient::derive(derivation& d) {
    auto const how = d.attrs->as<attributes>();
    symbol const h = d.gradient;
    if (d.wanted[0])
        d.out[0] = rows_like(d,
            apply_with<sliding_products>({how.size - 1 - how.before, how.size - 1 - how.after}, d.operands[1], apply<reversed_row>(h)), 0);
    if (d.wanted[1]) d.out[1] = rows_like(d, apply_with<sliding_products>({how.before, how.after}, d.operands[0], h), 1);
}
}

namespace detail {
enum class signal_slip { none, no_expression, wrong, type, types, rank, rows, empty, named };
template<class A, class V>
constexpr signal_slip slip_of_signals() {
    if constexpr (!Expr<A> || !Expr<V>) return signal_slip::no_expression;
    else {
        value_info const &a = value_of<A>, &v = value_of<V>;
        if (a.wrong != fault::none || v.wrong != fault::none) return signal_slip::wrong;
        if (!is_floating(a.type) || !is_floating(v.type)) return signal_slip::type;
        if (a.type != v.type) return signal_slip::types;
        if (a.dims.rank == 0 || v.dims.rank == 0) return signal_slip::rank;
        extent const n = extent_from_end<A>(1), m = extent_from_end<V>(1);
        if ((n.is_static() && n.constant == 0) || (m.is_static() && m.constant == 0)) return signal_slip::empty;
        if (!n.is_static() && !m.is_static()) return signal_slip::named;
        if (a.dims.rank == 1 || v.dims.rank == 1) return signal_slip::none;
        if (a.dims.rank != v.dims.rank) return signal_slip::rows;
        for (int i = 0; i + 1 < a.dims.rank; ++i)
            if (!(a.dims.extents[i] == v.dims.extents[i])) return signal_slip::rows;
        return signal_slip::none;
    }
}
template<class A, class V, signal_slip Slip>
constexpr auto refuse_signals() {
    static_assert(Slip != signal_slip::type,
        "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): an operand is neither float nor double; write cast<float>(x)");
    static_assert(Slip != signal_slip::types,
        "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): the operands have different element types; write cast<double>(x)");
    static_assert(
        Slip != signal_slip::rank, "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): an operand has no axis; write expand_dims<0>(x)");
    static_assert(Slip != signal_slip::rows,
        "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): the axes before the last one differ; give one operand a single axis, or "
        "broadcast_to");
    static_assert(Slip != signal_slip::empty,
        "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): an operand has no elements; give at least one along the last axis");
    static_assert(Slip != signal_slip::named,
        "xgrad::convolve<mode>(a, v), correlate<mode>(a, v): both last extents are named dimensions; declare the filter with an integer");
    if constexpr (Slip == signal_slip::no_expression) return refuse_operand<A, V>();
    else return refused{};
}
/// Whether v is the longer operand.
template<class A, class V>
constexpr bool is_second_longer() {
    constexpr extent n = extent_from_end<A>(1), m = extent_from_end<V>(1);
    return n.is_static() && (!m.is_static() || m.constant > n.constant);
}
/// The last axis as [rows, n].
template<class A>
constexpr auto as_signal_rows(A const& x) {
    constexpr shape s = [] {
        shape const& all = value_of<A>.dims;
        shape r{2, {static_extent(1), all.extents[all.rank - 1]}};
        for (int i = 0; i + 1 < all.rank; ++i) r.extents[0] = r.extents[0] * all.extents[i];
        return r;
    }();
    return reshaped_to<s>(x);
}
/// x is at least as long as w.
template<convolve_mode Mode, class X, class W>
constexpr auto slid(X const& x, W const& w) {
    constexpr std::int64_t m = extent_from_end<W>(1).constant, half = m / 2;
    constexpr op::sliding_attributes how = Mode == convolve_mode::full   ? op::sliding_attributes{m - 1, m - 1}
                                           : Mode == convolve_mode::same ? op::sliding_attributes{half, m - 1 - half}
                                                                         : op::sliding_attributes{0, 0};
    auto const y = kernel_function<with<op::sliding_products, how>>{}(as_signal_rows(x), as_signal_rows(w));
    constexpr shape s = [] {
        shape r = value_of<X>.dims.rank > value_of<W>.dims.rank ? value_of<X>.dims : value_of<W>.dims;
        r.extents[r.rank - 1] = value_of<decltype(y)>.dims.extents[1];
        return r;
    }();
    return reshaped_to<s>(y);
}
}

/// The convolution Σ_j a[k − j] v[j] along the last axis, in floats or doubles: n + m − 1 results of n and m elements
/// (NumPy's convolve). `convolve<convolve_mode::same>(a, v)` gives as many as the longer operand has, and convolve_mode::valid the
/// |n − m| + 1 that need no element outside. The axes before the last one are equal in both, or one operand has a single axis, which all
/// rows take. One of both last extents may
/// be a named dimension. A call with fewer elements than the other operand is then an error for convolve_mode::valid, and
/// convolve_mode::same keeps the named length. Nothing is padded, so an infinite element is in no other results
/// than its own. The products are computed directly: for two long signals `irfft(rfft(a) * rfft(v))` of padded operands is faster.
///
/// Gradient: of a, the correlation of g with v; of v, that of g with a, summed over the rows that share it.
template<convolve_mode Mode = convolve_mode::full, class A, class V>
constexpr auto convolve(A const& a, V const& v) {
    constexpr auto slip = detail::slip_of_signals<A, V>();
    if constexpr (slip != detail::signal_slip::none) return detail::refuse_signals<A, V, slip>();
    else if constexpr (detail::is_second_longer<A, V>()) return detail::slid<Mode>(v, flip<-1>(a));
    else return detail::slid<Mode>(a, flip<-1>(v));
}
/// The correlation Σ_j a[k + j] v[j] along the last axis (NumPy's correlate for real numbers): convolve with v reversed, with its modes
/// and shapes. Here convolve_mode::valid is the default.
///
/// Gradient: of a, the convolution of g with v; of v, the correlation of a with g, summed over the rows that share it.
template<convolve_mode Mode = convolve_mode::valid, class A, class V>
constexpr auto correlate(A const& a, V const& v) {
    constexpr auto slip = detail::slip_of_signals<A, V>();
    if constexpr (slip != detail::signal_slip::none) return detail::refuse_signals<A, V, slip>();
    else if constexpr (detail::is_second_longer<A, V>()) return flip<-1>(detail::slid<Mode>(v, a));
    else return detail::slid<Mode>(a, v);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
