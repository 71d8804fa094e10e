// SPDX-License-Identifier: MIT
// Products of tensors with names from NumPy: tensordot, dot, inner, outer, vdot, kron, cross, and TensorFlow's matvec.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/einsum.hpp>

XGRAD_NAMESPACE_BEGIN

/// Axes of an operand, as an argument: `tensordot<axes<1, 2>, axes<0, 1>>(a, b)`. Negative ones count from the end.
template<int... Axis>
struct axes {};

namespace detail {
enum class product_slip { none, no_expression, wrong, types, axis, extents, many_axes, rank, joined, row, broadcast };
template<class... A>
constexpr product_slip slip_of_factors() {
    if constexpr (!(Expr<A> && ...)) return product_slip::no_expression;
    else if constexpr (((value_of<A>.wrong != fault::none) || ...)) return product_slip::wrong;
    else return are_factors<A...>() ? product_slip::none : product_slip::types;
}
template<product_slip Slip, class... A>
constexpr auto refuse_product() {
    if constexpr (Slip == product_slip::no_expression) return refuse_operand<A...>();
    else if constexpr (Slip == product_slip::types) return refuse_factors<A...>();
    else return refused{};
}
/// Two factors whose axes have one name where they are summed together.
struct paired_axes {
    product_slip slip;
    axis_names a, b, out;
};
template<class A, class B>
constexpr paired_axes pair_axes(axis_list const& of_a, axis_list const& of_b) {
    shape const &a = value_of<A>.dims, &b = value_of<B>.dims;
    paired_axes r{};
    for (int i = 0; i < a.rank; ++i) r.a.push(static_cast<char>('a' + i));
    for (int i = 0; i < b.rank; ++i) r.b.push(static_cast<char>('A' + i));
    axis_set seen_of_a{}, seen_of_b{};
    if (of_a.count != of_b.count) r.slip = product_slip::axis;
    for (int i = 0; i < of_a.count && r.slip == product_slip::none; ++i) {
        int const x = of_a[i], y = of_b[i];
        if (x < 0 || y < 0 || x >= a.rank || y >= b.rank || seen_of_a.has(x) || seen_of_b.has(y)) r.slip = product_slip::axis;
        else if (!(a.extents[x] == b.extents[y])) r.slip = product_slip::extents;
        else {
            seen_of_a.add(x);
            seen_of_b.add(y);
            r.b.at[y] = r.a.at[x];
        }
    }
    axis_names const both = common_names(r.a, r.b);
    r.out = followed_by(without(r.a, both), without(r.b, both));
    if (r.slip == product_slip::none && r.out.count > max_rank) r.slip = product_slip::many_axes;
    return r;
}
template<int First, int Last>
constexpr axis_list axes_between() {
    axis_list r{};
    for (int i = First; i < Last && r.count < axis_list::room; ++i) r.push(i);
    return r;
}
template<class A, int... Axis>
constexpr axis_list axes_of_list(axes<Axis...>) {
    if constexpr (sizeof...(Axis) == 0) return {};
    else return op::axes_in_order<value_of<A>.dims.rank, Axis...>();
}
template<class T>
inline constexpr bool is_axes = false;
template<int... Axis>
inline constexpr bool is_axes<axes<Axis...>> = true;
template<paired_axes P, class A, class B>
constexpr auto contract_axes(A const& a, B const& b) {
    static_assert(P.slip != product_slip::extents || never<A>,
        "xgrad::tensordot(a, b), dot, inner: axes of a and b that are summed have different extents; transpose one of them, or name other "
        "axes: tensordot<axes<1>, axes<0>>(a, b)");
    static_assert(P.slip != product_slip::many_axes || never<A>,
        "xgrad::tensordot(a, b), dot, inner: the result has more than six axes; reshape a or b to fewer axes first");
    if constexpr (P.slip != product_slip::none) return refused{};
    else return contraction<P.out>(factors<decltype(factor_of<P.a>(as_factor(a))), decltype(factor_of<P.b>(as_factor(b)))>{});
}
}

/// Sums of products over the last N axes of a and the first N axes of b, 2 if no N is given: [..., ...] (NumPy's tensordot). N = 0 is the
/// product of each element of a with each of b. The element types are those of einsum.
/// Gradient: of a, the tensordot of g and b over the axes of b; of b, that of a and g.
template<int N = 2, class A, class B>
constexpr auto tensordot(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else return N < 0 || N > value_of<A>.dims.rank || N > value_of<B>.dims.rank ? product_slip::axis : product_slip::none;
    }();
    static_assert(slip != product_slip::axis,
        "xgrad::tensordot<n>(a, b): a or b has fewer than n axes (2 if no n is given); write a smaller number: tensordot<1>(a, b)");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr int rank = value_of<A>.dims.rank;
        return detail::contract_axes<detail::pair_axes<A, B>(detail::axes_between<rank - N, rank>(), detail::axes_between<0, N>())>(a, b);
    }
}
/// Sums of products over pairs of axes: `tensordot<axes<1, 2>, axes<0, 1>>(a, b)` sums over axis 1 of a with axis 0 of b, and axis 2 with
/// axis 1. The result has the other axes of a, then those of b.
/// Gradient: of a, the tensordot of g and b over the axes of b; of b, that of a and g.
template<class OfA, class OfB, class A, class B>
    requires(detail::is_axes<OfA> && detail::is_axes<OfB>)
constexpr auto tensordot(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = detail::slip_of_factors<A, B>();
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr auto pairs = detail::pair_axes<A, B>(detail::axes_of_list<A>(OfA{}), detail::axes_of_list<B>(OfB{}));
        static_assert(pairs.slip != product_slip::axis,
            "xgrad::tensordot<axes<...>, axes<...>>(a, b): the lists differ in length, or an axis is not there or is there twice; write "
            "axes<1, 2>, axes<0, 1>");
        return detail::contract_axes<pairs>(a, b);
    }
}
/// NumPy's dot: the sum of products over the last axis of a and the last but one of b, or the only one of b. It is the product of two
/// matrices, and of two vectors the sum of their products. If a or b has no axis, it is the element-wise product.
/// Gradient: of a, the tensordot of g and b over the axes of b; of b, that of a and g.
template<class A, class B>
constexpr auto dot(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = detail::slip_of_factors<A, B>();
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr int m = value_of<A>.dims.rank, n = value_of<B>.dims.rank;
        constexpr int axis = n > 1 ? n - 2 : 0;
        if constexpr (m == 0 || n == 0) return detail::as_factor(a) * detail::as_factor(b);
        else
            return detail::contract_axes<detail::pair_axes<A, B>(detail::axes_between<m - 1, m>(), detail::axes_between<axis, axis + 1>())>(
                a, b);
    }
}
/// NumPy's inner: the sum of products over the last axes of a and b. If a or b has no axis, it is the element-wise product.
/// Gradient: of a, the tensordot of g and b over the axes of b; of b, that of a and g.
template<class A, class B>
constexpr auto inner(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = detail::slip_of_factors<A, B>();
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr int m = value_of<A>.dims.rank, n = value_of<B>.dims.rank;
        if constexpr (m == 0 || n == 0) return detail::as_factor(a) * detail::as_factor(b);
        else
            return detail::contract_axes<detail::pair_axes<A, B>(detail::axes_between<m - 1, m>(), detail::axes_between<n - 1, n>())>(a, b);
    }
}
/// The products of matrices, the last two axes of a, with vectors, the last axis of x: [..., m] of [..., m, n] and [..., n]. The axes
/// before broadcast (TensorFlow's matvec). `transpose<1, 0>(a)` of one matrix costs nothing.
/// Gradient: of a, the products of each element of g with each of x; of x, aᵀ g.
template<class A, class B>
constexpr auto matvec(A const& a, B const& x) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else if (value_of<A>.dims.rank < 2 || value_of<B>.dims.rank < 1) return product_slip::rank;
        else return detail::extent_from_end<A>(1) == detail::extent_from_end<B>(1) ? product_slip::none : product_slip::extents;
    }();
    static_assert(slip != product_slip::rank, "xgrad::matvec(a, x): a has fewer than two axes, or x has none; write dot(a, x) for vectors");
    static_assert(
        slip != product_slip::extents, "xgrad::matvec(a, x): the last extents of a and x differ; transpose a, or check the shapes of both");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else return einsum<"...mn,...n->...m">(a, x);
}

namespace detail {
constexpr shape flat_shape(shape const& s) { return {1, {s.size()}}; }
/// [a0, 1, a1, 1, ...], or [1, b0, 1, b1, ...], with the axes of extent 1 that an operand of fewer axes gets before its own.
constexpr shape interleaved(shape const& s, int rank, int place) {
    shape r{2 * rank, {}};
    for (int i = 0; i < 2 * rank; ++i) r.extents[i] = static_extent(1);
    for (int i = 0; i < s.rank; ++i) r.extents[2 * (rank - s.rank + i) + place] = s.extents[i];
    return r;
}
constexpr shape pairs_joined(shape const& a, shape const& b) {
    shape r{a.rank / 2, {}};
    for (int i = 0; i < r.rank; ++i) r.extents[i] = a.extents[2 * i] * b.extents[2 * i + 1];
    return r;
}
template<class A, class B>
constexpr int larger_rank() {
    int const a = value_of<A>.dims.rank, b = value_of<B>.dims.rank;
    return a > b ? a : b;
}
}

/// Each element of a times each of b, as a matrix: [elements of a, elements of b] (NumPy's outer). `tensordot<0>(a, b)` keeps the axes.
/// Gradient: of a, the sums of g b over the columns; of b, those of g a over the rows.
template<class A, class B>
constexpr auto outer(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else return value_of<A>.dims.size().overflow || value_of<B>.dims.size().overflow ? product_slip::joined : product_slip::none;
    }();
    static_assert(slip != product_slip::joined,
        "xgrad::outer(a, b): an operand has more than three named dimensions, which do not fit into one axis; write tensordot<0>(a, b)");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else
        return expand_dims<1>(detail::reshaped_to<detail::flat_shape(value_of<A>.dims)>(detail::as_factor(a))) *
               expand_dims<0>(detail::reshaped_to<detail::flat_shape(value_of<B>.dims)>(detail::as_factor(b)));
}
/// The sum of the products of all elements in order, whatever the shapes (NumPy's vdot of real numbers).
/// Gradient: of a, g b; of b, g a.
template<class A, class B>
constexpr auto vdot(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else {
            extent const m = value_of<A>.dims.size(), n = value_of<B>.dims.size();
            return value_of<A>.dims == value_of<B>.dims || (m == n && !m.overflow) ? product_slip::none : product_slip::extents;
        }
    }();
    static_assert(slip != product_slip::extents,
        "xgrad::vdot(a, b): a and b have different numbers of elements; write inner(a, b) for sums over the last axis only");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else return sum(detail::as_factor(a) * detail::reshaped_to<value_of<A>.dims>(detail::as_factor(b)));
}
/// Blocks of b, one for each element of a and multiplied by it: [a0 b0, a1 b1, ...] of [a0, a1, ...] and [b0, b1, ...] (NumPy's kron). The
/// operand with fewer axes gets axes of extent 1 before its own. Operands have at most three axes.
/// Gradient: of a, for each element the sum of g b over its block; of b, the sum of g a over the blocks.
template<class A, class B>
constexpr auto kron(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else {
            constexpr int rank = detail::larger_rank<A, B>();
            if constexpr (2 * rank > max_rank) return product_slip::many_axes;
            else {
                shape const x = detail::interleaved(value_of<A>.dims, rank, 0), y = detail::interleaved(value_of<B>.dims, rank, 1);
                return detail::overflows(detail::pairs_joined(x, y)) ? product_slip::joined : product_slip::none;
            }
        }
    }();
    static_assert(slip != product_slip::many_axes, "xgrad::kron(a, b): a or b has more than three axes; reshape it to fewer axes first");
    static_assert(slip != product_slip::joined,
        "xgrad::kron(a, b): an extent of the result is a product of more than three named dimensions; write integers for some of them");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr int rank = detail::larger_rank<A, B>();
        constexpr shape x = detail::interleaved(value_of<A>.dims, rank, 0), y = detail::interleaved(value_of<B>.dims, rank, 1);
        return detail::reshaped_to<detail::pairs_joined(x, y)>(
            detail::reshaped_to<x>(detail::as_factor(a)) * detail::reshaped_to<y>(detail::as_factor(b)));
    }
}

namespace op {
struct cross : kernel_op {
    static constexpr std::string_view name = "cross";
    static constexpr int flops = 3;
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return v[0]; }
    static constexpr extent turns(kernel_operands const& v) {   // vectors
        extent n = static_extent(1);
        for (int i = 0; i + 1 < v.dims(0).rank; ++i) n = n * v.dims(0).extents[i];
        return n;
    }
    template<class T, int Rank>
    static void run(kernel_part const& part, tensor_view<T const, Rank> x, tensor_view<T const, Rank> y, tensor_view<T, Rank> out) {
        T const *const a = x.data(), *const b = y.data();
        T* const c = out.data();
        for (std::int64_t i = 3 * part.first; i < 3 * part.last; i += 3) {
            c[i] = a[i + 1] * b[i + 2] - a[i + 2] * b[i + 1];
            c[i + 1] = a[i + 2] * b[i] - a[i] * b[i + 2];
            c[i + 2] = a[i] * b[i + 1] - a[i + 1] * b[i];
        }
    }
    static constexpr void derive(derivation& d) {
        if (d.wanted[0]) d.out[0] = apply<cross>(d.operands[1], d.gradient);
        if (d.wanted[1]) d.out[1] = apply<cross>(d.gradient, d.operands[0]);
    }
};
}

/// The cross products of vectors of three elements, the last axes of a and b; the axes before broadcast (NumPy's cross).
/// Gradient: of a, b × g; of b, g × a.
template<class A, class B>
constexpr auto cross(A const& a, B const& b) {
    using detail::product_slip;
    constexpr auto slip = [] {
        constexpr auto of_factors = detail::slip_of_factors<A, B>();
        if constexpr (of_factors != product_slip::none) return of_factors;
        else {
            shape const &x = value_of<A>.dims, &y = value_of<B>.dims;
            extent const three = static_extent(3);
            if (x.rank == 0 || y.rank == 0 || !(x.extents[x.rank - 1] == three) || !(y.extents[y.rank - 1] == three))
                return product_slip::row;
            shape both = x;
            return broadcast_into(both, y) ? product_slip::none : product_slip::broadcast;
        }
    }();
    static_assert(slip != product_slip::row,
        "xgrad::cross(a, b): the last extent of a or b is not 3; transpose it, or pad vectors of two elements with a zero");
    static_assert(slip != product_slip::broadcast,
        "xgrad::cross(a, b): the axes before the last one do not broadcast; from the right, their extents must be equal or 1");
    if constexpr (slip != product_slip::none) return detail::refuse_product<slip, A, B>();
    else {
        constexpr shape both = [] {
            shape r = value_of<A>.dims;
            broadcast_into(r, value_of<B>.dims);
            return r;
        }();
        return apply<op::cross>(detail::repeated_to<both>(detail::as_factor(a)), detail::repeated_to<both>(detail::as_factor(b)));
    }
}

// NumPy's tensordot(a, b, 1).
template<class A, class B, class... N>
    requires detail::NumbersAfter<A, N...>
constexpr auto tensordot(A const&, B const&, N const&...) {
    static_assert(
        detail::never<A>, "xgrad::tensordot(a, b): the number of axes is an argument; write it in angle brackets: tensordot<1>(a, b)");
    return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
