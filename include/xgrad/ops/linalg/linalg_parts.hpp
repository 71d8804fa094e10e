// SPDX-License-Identifier: MIT
// What the operations of linear algebra share: checks of shapes, and symbols for their gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/gather.hpp>
#include <xgrad/ops/linalg/linalg_loops.hpp>
#include <xgrad/ops/matmul.hpp>
#include <xgrad/ops/reduce.hpp>
#include <xgrad/ops/slice.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// The number of matrices, the last two axes of s.
constexpr extent matrices_of(shape const& s) {
    extent n = static_extent(1);
    for (int i = 0; i + 2 < s.rank; ++i) n = n * s.extents[i];
    return n;
}
constexpr extent const& rows_of(shape const& s) { return s.extents[s.rank - 2]; }
constexpr extent const& columns_of(shape const& s) { return s.extents[s.rank - 1]; }
/// Each element of s takes part in n of the `times` products; with many named dimensions n counts as 64.
constexpr extent flops_of_elements(shape const& s, extent const& n, std::int64_t times = 1) {
    extent const all = s.size() * n * static_extent(times);
    return all.overflow ? s.size() * static_extent(64 * times) : all;
}
constexpr extent bytes_of(dtype type, extent const& count) { return count * static_extent(type == dtype::float64 ? 8 : 4); }
/// Square matrices of float or double.
constexpr value_info square_rule(value_info const& v) {
    if (!is_floating(v.type)) return {v.type, {}, fault::not_floating};
    if (v.dims.rank < 2) return {v.type, {}, fault::rank};
    if (!(rows_of(v.dims) == columns_of(v.dims))) return {v.type, {}, fault::inner};
    return v;
}
/// A square matrix and the right side of its system, [..., n, n] and [..., n, k]: the solution has the shape of the right side.
constexpr value_info system_rule(value_info const* v) {
    value_info const a = square_rule(v[0]);
    if (a.wrong != fault::none) return a;
    if (v[1].type != a.type) return {a.type, {}, fault::dtypes};
    if (v[1].dims.rank != a.dims.rank) return {a.type, {}, fault::rank};
    for (int i = 0; i + 2 < a.dims.rank; ++i)
        if (!(v[1].dims.extents[i] == a.dims.extents[i])) return {a.type, {}, fault::shapes};
    if (!(rows_of(v[1].dims) == columns_of(a.dims))) return {a.type, {}, fault::inner};
    return v[1];
}
/// Base of kernels whose iterations are the matrices of the first operand.
struct matrices_op : kernel_op {
    static constexpr extent turns(kernel_operands const& v) { return matrices_of(v.dims(0)); }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(0))); }
};

/// Products of pairs of matrices, for gradients. matmul makes a loop of stacks, which symbols cannot.
template<bool TransposeA>
struct product_of_pairs : matrices_op {
    static constexpr std::string_view name = TransposeA ? "transposed_products" : "products";
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) {
        value_info r = v[0];
        r.dims.extents[r.dims.rank - 2] = TransposeA ? columns_of(v[0].dims) : rows_of(v[0].dims);
        r.dims.extents[r.dims.rank - 1] = columns_of(v[1].dims);
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_elements(v.dims(0), columns_of(v.dims(1)), 2); }
    template<class T, int R>
    static void run(kernel_part const& part, tensor_view<T const, R> a, tensor_view<T const, R> b, tensor_view<T, R> c) {
        std::int64_t const m = c.shape(R - 2), n = c.shape(R - 1), k = b.shape(R - 2);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            T const* const left = a.data() + t * m * k;
            detail::loops::fill(c.data() + t * m * n, T(0), m * n);
            detail::loops::add_product<true>(c.data() + t * m * n, n,
                TransposeA ? detail::loops::left_factor<T>{left, 1, m} : detail::loops::left_factor<T>{left, k, 1}, b.data() + t * k * n, n,
                m, n, k);
        }
    }
    static constexpr void derive(derivation& d);
};
/// Each matrix of s, transposed.
constexpr symbol transposed(symbol s) {
    int const rank = s.table->info(s).dims.rank;
    axis_list order{};
    for (int i = 0; i + 2 < rank; ++i) order.push(i);
    order.push(rank - 1);
    order.push(rank - 2);
    return apply_with<transpose>({order}, s);
}
/// The derivative of Function, a function of square matrices, at `a` in a direction: a block of the function of [[a, direction], [0, a]].
/// R. Mathias, A chain rule for matrix functions, 1996.
template<class Function>
constexpr symbol derivative_of_function(derivation& d, symbol a, symbol direction) {
    shape const& s = d.table->info(a).dims;
    int const last = s.rank - 1;
    symbol const above[]{a, direction}, below[]{zeros_of(d, s), a};
    symbol const halves[]{concat_along(last, above, 2), concat_along(last, below, 2)};
    symbol const whole = apply_with<Function>(xgrad::attributes{}, concat_along(last - 1, halves, 2));
    return slice_of(slice_of(whole, last, columns_of(s), columns_of(s)), last - 1, static_extent(0), columns_of(s));
}
/// The product of each pair of matrices.
constexpr symbol multiply_pairs(symbol a, symbol b, bool ta = false, bool tb = false) {
    if (a.table->info(a).dims.rank == 2) return multiply(a, b, ta, tb);
    if (tb) b = transposed(b);
    return ta ? apply<product_of_pairs<true>>(a, b) : apply<product_of_pairs<false>>(a, b);
}
template<bool TransposeA>
constexpr void product_of_pairs<TransposeA>::derive(derivation& d) {
    symbol const a = d.operands[0], b = d.operands[1], g = d.gradient;
    if (d.wanted[0]) d.out[0] = TransposeA ? multiply_pairs(b, g, false, true) : multiply_pairs(g, b, false, true);
    if (d.wanted[1]) d.out[1] = multiply_pairs(a, g, !TransposeA, false);
}
/// The numbers of the rows of a matrix as a column, and those of its columns as a row.
constexpr symbol row_numbers(symbol s) {
    extent const n = rows_of(s.table->info(s).dims);
    return reshape_to(positions(s, n), shape{2, {n, static_extent(1)}});
}
constexpr symbol column_numbers(symbol s) {
    extent const n = columns_of(s.table->info(s).dims);
    return reshape_to(positions(s, n), shape{2, {static_extent(1), n}});
}
constexpr symbol on_diagonal(symbol s) { return xgrad::equal(column_numbers(s), row_numbers(s)); }
constexpr symbol below_diagonal(symbol s) { return xgrad::less(column_numbers(s), row_numbers(s)); }
constexpr symbol lower_triangle(symbol s) { return xgrad::select(xgrad::less_equal(column_numbers(s), row_numbers(s)), s, 0_c); }
constexpr symbol upper_triangle(symbol s) { return xgrad::select(xgrad::greater_equal(column_numbers(s), row_numbers(s)), s, 0_c); }
/// [...] as [..., 1, 1].
constexpr symbol as_matrices(symbol s) { return apply_with<expand_dims>({-1}, apply_with<expand_dims>({-1}, s)); }
}

namespace detail {
enum class linalg_slip { none, no_expression, wrong, type, rank, not_square, types, ranks, batch, rows };
template<class A>
constexpr linalg_slip matrix_slip_of(bool square) {
    if constexpr (!Expr<A>) return linalg_slip::no_expression;
    else {
        value_info const& v = value_of<A>;
        if (v.wrong != fault::none) return linalg_slip::wrong;
        if (v.dims.rank < 2) return linalg_slip::rank;
        if (!is_floating(computed_type(v.type))) return linalg_slip::type;
        return square && !(op::rows_of(v.dims) == op::columns_of(v.dims)) ? linalg_slip::not_square : linalg_slip::none;
    }
}
/// The axes before the last two.
constexpr shape batch_of(shape const& s) {
    shape r{};
    for (; r.rank + 2 < s.rank; ++r.rank) r.extents[r.rank] = s.extents[r.rank];
    return r;
}
/// The shape of matrices with other axes before the last two.
constexpr shape with_batch(shape const& batch, shape const& s) {
    shape r = batch;
    for (int i = s.rank - 2; i < s.rank; ++i) r.extents[r.rank++] = s.extents[i];
    return r;
}
/// Whether b is one right side [n] of one matrix. The functions take it as a matrix of one column.
template<class A, class B>
constexpr bool has_vector() {
    if constexpr (Expr<A> && Expr<B>) return value_of<A>.dims.rank == 2 && value_of<B>.dims.rank == 1;
    else return false;
}
template<class A, class B>
constexpr linalg_slip system_slip_of() {
    if constexpr (!Expr<A> || !Expr<B>) return linalg_slip::no_expression;
    else {
        if (linalg_slip const a = matrix_slip_of<A>(true); a != linalg_slip::none) return a;
        if (value_of<B>.wrong != fault::none) return linalg_slip::wrong;
        value_info const v[]{value_of<A>, value_of<B>};
        if (computed_type(v[0].type) != computed_type(v[1].type)) return linalg_slip::types;
        if (v[1].dims.rank < v[0].dims.rank) return linalg_slip::ranks;
        shape both = batch_of(v[1].dims);
        if (!broadcast_into(both, batch_of(v[0].dims))) return linalg_slip::batch;
        return op::rows_of(v[1].dims) == op::columns_of(v[0].dims) ? linalg_slip::none : linalg_slip::rows;
    }
}
/// One matrix and the right sides [..., n, k] of many systems: they are the columns of one system, so the matrix is factored once.
template<class F, class A, class B, int... I>
constexpr auto solve_as_columns(F const& f, A const& a, B const& b, std::integer_sequence<int, I...>) {
    constexpr shape s = value_of<B>.dims, turned{s.rank, {s.extents[I == 0 ? s.rank - 2 : I + 1 == s.rank ? I : I - 1]...}};
    constexpr extent n = op::rows_of(s);
    constexpr shape matrix{2, {n, n}}, columns{2, {n, op::matrices_of(s) * op::columns_of(s)}};
    auto const right = reshaped_to<columns>(transpose<(I == 0 ? s.rank - 2 : I + 1 == s.rank ? I : I - 1)...>(b));
    return transpose<(I + 2 < s.rank ? I + 1 : I + 1 == s.rank ? I : 0)...>(reshaped_to<turned>(f(reshaped_to<matrix>(a), right)));
}
/// f of matrices and right sides with equal axes before the last two, which are broadcast.
template<class F, class A, class B>
constexpr auto solve_batches(F const& f, A const& a, B const& b) {
    constexpr shape of_a = batch_of(value_of<A>.dims), of_b = batch_of(value_of<B>.dims);
    if constexpr (of_a == of_b) return f(a, b);
    else if constexpr (of_a.size() == static_extent(1)) return solve_as_columns(f, a, b, std::make_integer_sequence<int, of_b.rank + 2>{});
    else {
        constexpr shape both = [] {
            shape r = batch_of(value_of<B>.dims);
            broadcast_into(r, batch_of(value_of<A>.dims));
            return r;
        }();
        return f(repeated_to<with_batch(both, value_of<A>.dims)>(a), repeated_to<with_batch(both, value_of<B>.dims)>(b));
    }
}
/// -1: fewer rows than columns, 1: at least as many, 0: not known while compiling.
template<class A>
constexpr int compared_rows() {
    extent const &m = op::rows_of(value_of<A>.dims), &n = op::columns_of(value_of<A>.dims);
    if (m == n) return 1;
    return !m.is_static() || !n.is_static() ? 0 : m.constant < n.constant ? -1 : 1;
}
/// The error sentences, and what a refused call returns.
template<linalg_slip Slip, class... A>
constexpr auto refuse_matrices() {
    static_assert(Slip != linalg_slip::rank,
        "xgrad::cholesky(a), solve(a, b), inverse(a), det(a), qr(a), eigh(a) and the like: a has fewer than two axes; write "
        "expand_dims<0>(a)");
    static_assert(Slip != linalg_slip::type,
        "xgrad::cholesky(a), solve(a, b), inverse(a), det(a), qr(a), eigh(a) and the like: a is neither float nor double; write "
        "cast<float>(a)");
    static_assert(Slip != linalg_slip::not_square,
        "xgrad::cholesky(a), solve(a, b), inverse(a), det(a), eigh(a) and the like: the last two extents of a differ; give square "
        "matrices");
    static_assert(Slip != linalg_slip::types,
        "xgrad::solve(a, b), triangular_solve(l, b), cholesky_solve(l, b), lstsq(a, b): the element types differ; write cast<double>(b)");
    static_assert(Slip != linalg_slip::ranks,
        "xgrad::solve(a, b), triangular_solve(l, b), cholesky_solve(l, b), lstsq(a, b): b has fewer axes than the matrices; write "
        "expand_dims<-1>(b) for a vector of each");
    static_assert(Slip != linalg_slip::batch,
        "xgrad::solve(a, b), triangular_solve(l, b), cholesky_solve(l, b), lstsq(a, b): the axes before the last two do not broadcast; "
        "check the shapes of both");
    static_assert(Slip != linalg_slip::rows,
        "xgrad::solve(a, b), triangular_solve(l, b), cholesky_solve(l, b), lstsq(a, b): b has another number of rows than the matrices have; "
        "transpose b, or check both shapes");
    if constexpr (Slip == linalg_slip::no_expression) return refuse_operand<A...>();
    else return refused{};
}
/// f of square matrices and right sides, after the checks.
template<class F, class A, class B>
constexpr auto solve_systems(F const& f, A const& a, B const& b) {
    if constexpr (has_vector<A, B>()) return squeeze<-1>(solve_systems(f, a, expand_dims<-1>(b)));
    else {
        constexpr auto slip = system_slip_of<A, B>();
        if constexpr (slip != linalg_slip::none) return refuse_matrices<slip, A, B>();
        else return solve_batches(f, a, b);
    }
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
