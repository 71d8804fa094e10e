// SPDX-License-Identifier: MIT
// Products of sparse and dense matrices.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/sparse/sparse_tensor.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Entry e of the result [entries] is the product of row rows[e] of a [m, n] and row columns[e] of b [k, n].
struct products_at_entries : kernel_op {
    static constexpr std::string_view name = "products_at_entries";
    static constexpr bool reports_indices = true, in_order = true;
    static constexpr index_bound indices{.operand = 0, .of = 2, .axis = 0};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(2).extents[1] * static_extent(2); }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return {v[2].type, v[0].dims, fault::none}; }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 1> rows, tensor_view<I const, 1> columns, tensor_view<T const, 2> a,
        tensor_view<T const, 2> b, tensor_view<T, 1> y) {
        std::int64_t const n = a.shape(1);
        for (std::int64_t e = part.first; e < part.last; ++e) {
            if (!is_position(rows[e], a.shape(0))) return part.report_bad_index(rows[e], a.shape(0));
            if (!is_position(columns[e], b.shape(0))) return part.report_bad_index(columns[e], b.shape(0));
            y[e] = product(a.data() + static_cast<std::int64_t>(rows[e]) * n, b.data() + static_cast<std::int64_t>(columns[e]) * n, n);
        }
    }
    static constexpr void derive(derivation& d);

private:
    // Blocks of a constant length: -O2 makes SIMD of them. The order depends on n alone.
    template<class T>
    XGRAD_INLINE static T product(T const* XGRAD_RESTRICT a, T const* XGRAD_RESTRICT b, std::int64_t n) {
        constexpr std::int64_t block = 16;
        T sums[block]{}, sum = 0;
        std::int64_t c = 0;
        for (; c + block <= n; c += block)
            for (std::int64_t e = 0; e < block; ++e) sums[e] += a[c + e] * b[c + e];
        for (; c < n; ++c) sum += a[c] * b[c];
        for (std::int64_t e = 0; e < block; ++e) sum += sums[e];
        return sum;
    }
};
/// Row r of the result [rows, n] is the sum of values[e] times row columns[e] of b [k, n], over the entries with rows[e] = r. The number
/// of rows is the extent in the attributes. Each iteration is a column of the result.
struct sparse_product : kernel_op {
    static constexpr std::string_view name = "sparse_product";
    static constexpr bool reports_indices = true;
    static constexpr index_bound indices{.operand = 1, .of = 3, .axis = 0};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * v.dims(3).extents[1] * static_extent(2); }
    static constexpr value_info infer(value_info const* v, int, attributes const& a, int) {
        return {v[3].type, {2, {a.extents[0], v[3].dims.extents[1]}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(3).extents[1]; }
    template<class T, class I>
    static void run(kernel_part const& part, tensor_view<I const, 1> rows, tensor_view<I const, 1> columns, tensor_view<T const, 1> values,
        tensor_view<T const, 2> b, tensor_view<T, 2> y) {
        std::int64_t const n = b.shape(1), m = y.shape(0), width = part.last - part.first;
        for (std::int64_t r = 0; r < m; ++r) std::fill_n(y.data() + r * n + part.first, width, T(0));
        for (std::int64_t e = 0; e < rows.size(); ++e) {
            if (!is_position(rows[e], m)) return part.report_bad_index(rows[e], m);
            if (!is_position(columns[e], b.shape(0))) return part.report_bad_index(columns[e], b.shape(0));
            add(y.data() + static_cast<std::int64_t>(rows[e]) * n + part.first,
                b.data() + static_cast<std::int64_t>(columns[e]) * n + part.first, values[e], width);
        }
    }
    static constexpr void derive(derivation& d);

private:
    template<class T>
    XGRAD_INLINE static void add(T* XGRAD_RESTRICT y, T const* XGRAD_RESTRICT b, T value, std::int64_t n) {
        constexpr std::int64_t block = 16;
        std::int64_t c = 0;
        for (; c + block <= n; c += block)
            for (std::int64_t e = 0; e < block; ++e) y[c + e] += value * b[c + e];
        for (; c < n; ++c) y[c] += value * b[c];
    }
};
constexpr symbol product_at(symbol rows, symbol columns, symbol values, symbol b, extent const& m) {
    return apply_with<sparse_product>(shape_attributes({1, {m}}), rows, columns, values, b);
}
constexpr void products_at_entries::derive(derivation& d) {
    symbol const rows = d.operands[0], columns = d.operands[1];
    if (d.wanted[2]) d.out[2] = product_at(rows, columns, d.gradient, d.operands[3], d.info(2).dims.extents[0]);
    if (d.wanted[3]) d.out[3] = product_at(columns, rows, d.gradient, d.operands[2], d.info(3).dims.extents[0]);
}
constexpr void sparse_product::derive(derivation& d) {
    symbol const rows = d.operands[0], columns = d.operands[1];
    if (d.wanted[2]) d.out[2] = apply_with<products_at_entries>(attributes{}, rows, columns, d.gradient, d.operands[3]);
    if (d.wanted[3]) d.out[3] = product_at(columns, rows, d.operands[2], d.gradient, d.info(3).dims.extents[0]);
}
}

namespace detail {
template<class S, class B>
constexpr sparse_slip slip_of_product(int sum_axis_of_s, int sum_axis_of_b) {
    if constexpr (!Expr<B>) return sparse_slip::no_expression;
    else {
        value_info const& b = value_of<B>;
        if (b.wrong != fault::none) return sparse_slip::wrong;
        if (S::dims.rank != 2 || b.dims.rank != 2) return sparse_slip::rank;
        dtype const type = computed_type(b.type);
        if (!is_floating(type) || computed_type(value_of<values_of<S>>.type) != type) return sparse_slip::types;
        return S::dims.extents[sum_axis_of_s] == b.dims.extents[sum_axis_of_b] ? sparse_slip::none : sparse_slip::shapes;
    }
}
template<sparse_slip Slip>
constexpr void check_sparse_product() {
    static_assert(Slip != sparse_slip::rank,
        "xgrad::sparse_dense_matmul(s, b): s or b has not two axes; write expand_dims<-1>(b) for a vector, or reshape");
    static_assert(Slip != sparse_slip::types,
        "xgrad::sparse_dense_matmul(s, b): the values of s and b are not of one floating type; write cast<float>(b)");
    static_assert(Slip != sparse_slip::shapes,
        "xgrad::sparse_dense_matmul(s, b): the columns of s are not as many as the rows of b; write sparse_dense_matmul<true>(s, b) for s "
        "transposed, or <false, true> for b");
}
template<class S, int Axis>
constexpr auto ids_of_axis() {
    return squeeze<1>(slice<1, std::int64_t{Axis}, std::int64_t{Axis + 1}>(S::indices));
}
}

/// The product of a sparse matrix and a dense one: y[i] = Σ s[i, j] b[j] over the entries (TensorFlow's sparse.sparse_dense_matmul,
/// PyTorch's sparse.mm). `sparse_dense_matmul<true, false>(s, b)` transposes s, the second argument b. s is [m, k], b [k, n] in the type
/// of the values, float or double. Only the entries are read, in their order. An index outside of s is a value_error.
/// Gradient: of the values, the product of a row of g and a row of b for each entry; of b, the transposed s times g.
template<bool AdjointA = false, bool AdjointB = false, class S, class B>
constexpr auto sparse_dense_matmul(S const& s, B const& b) {
    using detail::sparse_slip;
    if constexpr (!detail::are_sparse<S>()) return detail::refused{};
    else {
        constexpr sparse_slip slip = detail::slip_of_product<S, B>(AdjointA ? 0 : 1, AdjointB ? 1 : 0);
        detail::check_sparse_product<slip>();
        if constexpr (slip == sparse_slip::no_expression) return detail::refuse_operand<B>();
        else if constexpr (slip != sparse_slip::none) return detail::refused{};
        else if constexpr (AdjointB) return sparse_dense_matmul<AdjointA>(s, transpose<1, 0>(b));
        else {
            using product = detail::with_shape<op::sparse_product, shape{1, {S::dims.extents[AdjointA ? 1 : 0]}}>;
            return apply<product>(
                detail::ids_of_axis < S, AdjointA ? 1 : 0 > (), detail::ids_of_axis < S, AdjointA ? 0 : 1 > (), S::values, b);
        }
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
