// SPDX-License-Identifier: MIT
// Embedding bags with a mean, a maximum, weights, and ids that are no ids.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/index/along_axis.hpp>
#include <xgrad/ops/no_nan.hpp>

XGRAD_NAMESPACE_BEGIN

/// How the rows of a bag are joined (TensorFlow's combiner, PyTorch's mode).
enum class combiner : unsigned char { sum, mean, sqrtn, max };
/// No id of an embedding_bag is a padding.
inline constexpr std::int64_t no_padding = std::numeric_limits<std::int64_t>::min();

namespace op {
constexpr value_info bag_result(value_info const* v) {
    value_info r{computed_type(v[0].type), v[0].dims, fault::none};
    r.dims.extents[0] = v[1].dims.extents[0];
    return r;
}
template<class M, int R>
std::int64_t row_length(tensor_view<M const, R> table) {
    std::int64_t n = 1;
    for (int a = 1; a < R; ++a) n *= table.shape(a);
    return n;
}
/// Table [rows, row...] at ids [bags, length] with weights [bags, length]: the sum of the weighted rows of each bag, or the maximum of
/// the rows whose weight is not 0. A row with the weight 0 is not read. A bag without rows is 0.
template<bool Max>
struct weighted_bag : kernel_op {
    static constexpr std::string_view name = Max ? "max_bag" : "weighted_bag";
    static constexpr bool half_operands = true, reports_indices = true, in_order = true;
    static constexpr index_bound indices{.operand = 1, .of = 0, .axis = 0};
    static constexpr extent flops(kernel_operands const& v) {
        return v.dims(1).size() * xgrad::detail::size_after_first(v.dims(0)) * static_extent(2);
    }
    static constexpr value_info infer(value_info const* v, int, attributes const&, int) { return bag_result(v); }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0]; }
    template<class M, int R, class I, class T>
    static void run(kernel_part const& part, tensor_view<M const, R> table, tensor_view<I const, 2> ids, tensor_view<T const, 2> weights,
        tensor_view<T, R> y) {
        std::int64_t const rows = table.shape(0), length = ids.shape(1), inner = row_length(table);
        bool const inside = with_row_length(inner, [&](auto known) {
            std::int64_t const width = known.value > 0 ? known.value : inner;
            for (std::int64_t bag = part.first; bag < part.last; ++bag)
                if (!join_bag<known.value>(table.data(), rows, ids.data() + bag * length, weights.data() + bag * length, length,
                        y.data() + bag * width, width))
                    return false;
            return true;
        });
        if (!inside) part.report_first_of(ids.data() + part.first * length, (part.last - part.first) * length, rows);
    }
    static constexpr void derive(derivation& d);

private:
    template<std::int64_t Known, class M, class I, class T>
    XGRAD_INLINE static bool join_bag(M const* table, std::int64_t rows, I const* XGRAD_RESTRICT ids, T const* XGRAD_RESTRICT w,
        std::int64_t length, T* XGRAD_RESTRICT y, std::int64_t width) {
        if constexpr (std::is_same_v<M, T> && detail::fits_registers<T, Known>)
            return join_in_registers<Known>(table, rows, ids, w, length, y);
        bool first = true;
        for (std::int64_t k = 0; k < length; ++k) {
            if (!is_position(ids[k], rows)) return false;
            if (w[k] == T(0)) continue;
            join(y, table + static_cast<std::int64_t>(ids[k]) * width, w[k], width, first);
            first = false;
        }
        if (first) std::fill(y, y + width, T(0));
        return true;
    }
    template<std::int64_t Known, class I, class T>
    XGRAD_INLINE static bool join_in_registers(
        T const* table, std::int64_t rows, I const* XGRAD_RESTRICT ids, T const* XGRAD_RESTRICT w, std::int64_t length, T* y) {
        detail::row_registers<T, Known> sum;
        sum.clear();
        std::int64_t k = 0;
        for (; k < length; ++k) {   // the first row
            if (!is_position(ids[k], rows)) return false;
            if (w[k] == T(0)) continue;
            T const* const row = table + static_cast<std::int64_t>(ids[k]) * Known;
            sum.join(row, [&](auto& lanes, auto const& u) { lanes = Max ? u : w[k] * u; });
            break;
        }
        for (++k; k < length; ++k) {
            if (!is_position(ids[k], rows)) return false;
            if (w[k] == T(0)) continue;
            T const* const row = table + static_cast<std::int64_t>(ids[k]) * Known;
            sum.join(row, [&](auto& lanes, auto const& u) {
                if constexpr (Max) combine_lanes<combine::max>(lanes, u);
                else lanes += w[k] * u;
            });
        }
        sum.store(y);
        return true;
    }
    template<class M, class T>
    XGRAD_INLINE static T joined(T y, M m, T w, bool first) {
        T const x = static_cast<T>(m);
        if constexpr (Max) return first ? x : combined<combine::max>(y, x);
        else return first ? w * x : y + w * x;
    }
    // The blocks have a constant length, so -O2 makes SIMD of them.
    template<class M, class T>
    XGRAD_INLINE static void join_row(T* XGRAD_RESTRICT out, M const* XGRAD_RESTRICT row, T w, std::int64_t inner, bool first) {
        constexpr std::int64_t block = 16;
        std::int64_t c = 0;
        for (; c + block <= inner; c += block)
            for (std::int64_t e = 0; e < block; ++e) out[c + e] = joined(out[c + e], row[c + e], w, first);
        for (; c < inner; ++c) out[c] = joined(out[c], row[c], w, first);
    }
    template<class M, class T>
    XGRAD_INLINE static void join(T* out, M const* row, T w, std::int64_t inner, bool first) {
        if (first) join_row(out, row, w, inner, true);
        else join_row(out, row, w, inner, false);
    }
};
template<bool Max>
constexpr void weighted_bag<Max>::derive(derivation& d) {
    shape const &table = d.info(0).dims, &ids = d.info(1).dims;
    extent const one = static_extent(1), bags = ids.extents[0], length = ids.extents[1], row = xgrad::detail::size_after_first(table);
    symbol const g = reshape_to(d.gradient, shape{3, {bags, one, row}}), w = reshape_to(d.operands[2], shape{3, {bags, length, one}});
    dtype const type = d.table->info(d.gradient).type;
    auto const rows = [&] {
        symbol const r = reshape_to(apply<gather>(d.operands[0], d.operands[1]), shape{3, {bags, length, row}});
        symbol converted = r;
        visit_floating(type, [&]<class T>(std::type_identity<T>) { converted = apply<cast<T>>(r); });
        return converted;
    };
    symbol of_rows{};
    if constexpr (Max) {
        symbol const zero = d.table->constant(0, type), y = reshape_to(d.result, shape{3, {bags, one, row}});
        symbol const chosen = xgrad::logical_and(xgrad::equal(rows(), y), xgrad::not_equal(w, zero));
        axis_set middle{};
        middle.add(1);
        symbol const count = xgrad::maximum(sum_over(number_where(chosen, type), middle, true), d.table->constant(1, type));
        of_rows = xgrad::select(chosen, g / count, zero);
    } else {
        of_rows = g * w;
        if (d.wanted[2]) {
            axis_set last{};
            last.add(2);
            d.out[2] = sum_over(rows() * g, last, false);
        }
    }
    if (!d.wanted[0]) return;
    d.values[0] = reshape_to(of_rows, rows_shape(table, ids.size()));
    d.indices[0] = flat(d.operands[1]);
}
/// Ids [n] with the first of them in place of each padding. Rows of zeros in the gradient then belong to a row that has a gradient
/// anyway. If all are paddings, the ids are 0.
struct without_padding : kernel_op {
    struct attributes {
        std::int64_t padding;
    };
    static constexpr std::string_view name = "without_padding";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[0]; }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    template<class I>
    static void run(attributes const& a, kernel_part const& part, tensor_view<I const, 1> ids, tensor_view<I, 1> y) {
        if (part.first == part.last) return;
        I const* XGRAD_RESTRICT const from = ids.data();
        I* XGRAD_RESTRICT const to = y.data();
        std::int64_t const n = ids.size();
        I const padding = static_cast<I>(a.padding);
        I const* const id = std::find_if(from, from + n, [&](I i) { return i != padding; });
        I const first = id == from + n ? I(0) : *id;
        constexpr std::int64_t block = 16;   // a constant length, of which -O2 makes SIMD
        std::int64_t j = 0;
        for (; j + block <= n; j += block)
            for (std::int64_t e = 0; e < block; ++e) to[j + e] = from[j + e] != padding ? from[j + e] : first;
        for (; j < n; ++j) to[j] = from[j] != padding ? from[j] : first;
    }
};
/// Table [rows, row...] at ids [bags, length]: the sum of the rows of each bag without paddings, divided by their number (mean) or its
/// root (sqrtn). A bag without rows is 0. The third operand is the ids without paddings, which the gradient names.
template<combiner How>
struct padded_bag : kernel_op {
    using attributes = without_padding::attributes;
    static constexpr std::string_view name = How == combiner::sum    ? "padded_bag_sum"
                                             : How == combiner::mean ? "padded_bag_mean"
                                                                     : "padded_bag_sqrtn";
    static constexpr bool half_operands = true, reports_indices = true, in_order = true;
    static constexpr index_bound indices{.operand = 2, .of = 0, .axis = 0};
    static constexpr extent flops(kernel_operands const& v) { return v.dims(1).size() * xgrad::detail::size_after_first(v.dims(0)); }
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return bag_result(v); }
    static constexpr extent turns(kernel_operands const& v) { return v.dims(1).extents[0]; }
    template<class M, int R, class I, class T>
    static void run(attributes const& a, kernel_part const& part, tensor_view<M const, R> table, tensor_view<I const, 2> ids,
        tensor_view<I const, 2>, tensor_view<T, R> y) {
        std::int64_t const rows = table.shape(0), length = ids.shape(1), inner = row_length(table);
        bool const inside = with_row_length(inner, [&](auto known) {
            std::int64_t const width = known.value > 0 ? known.value : inner;
            for (std::int64_t bag = part.first; bag < part.last; ++bag)
                if (!join_bag<known.value>(
                        table.data(), rows, ids.data() + bag * length, static_cast<I>(a.padding), length, y.data() + bag * width, width))
                    return false;
            return true;
        });
        if (inside) return;
        for (std::int64_t i = part.first * length; i < part.last * length; ++i)
            if (I const id = ids.data()[i]; !is_position(id, rows) && id != static_cast<I>(a.padding))
                return part.report_bad_index(ids.data()[i], rows);
        part.report_bad_index();
    }
    static constexpr void derive(derivation& d);

private:
    template<std::int64_t Known, class M, class I, class T>
    XGRAD_INLINE static bool join_bag(M const* table, std::int64_t rows, I const* XGRAD_RESTRICT ids, I padding, std::int64_t length,
        T* XGRAD_RESTRICT y, std::int64_t width) {
        constexpr bool in_registers = std::is_same_v<M, T> && detail::fits_registers<T, Known>;
        std::conditional_t<in_registers, detail::row_registers<T, in_registers ? Known : 8>, char> sum;
        if constexpr (in_registers) sum.clear();
        else std::fill(y, y + width, T(0));
        std::int64_t members = 0;
        for (std::int64_t k = 0; k < length; ++k) {
            if (ids[k] == padding) continue;
            if (!is_position(ids[k], rows)) return false;
            ++members;
            M const* const row = table + static_cast<std::int64_t>(ids[k]) * width;
            if constexpr (in_registers) sum.add(row);
            else
                for (std::int64_t c = 0; c < width; ++c) y[c] += static_cast<T>(row[c]);
        }
        T const n = static_cast<T>(std::max<std::int64_t>(members, 1)), scale = T(1) / (How == combiner::mean ? n : libm::sqrt(n));
        if constexpr (How != combiner::sum) {
            if constexpr (in_registers) sum.scale(scale);
            else
                for (std::int64_t c = 0; c < width; ++c) y[c] *= scale;
        }
        if constexpr (in_registers) sum.store(y);
        return true;
    }
};
template<combiner How>
constexpr void padded_bag<How>::derive(derivation& d) {
    shape const &table = d.info(0).dims, &ids = d.info(1).dims;
    extent const one = static_extent(1), bags = ids.extents[0], length = ids.extents[1], row = xgrad::detail::size_after_first(table);
    dtype const type = d.table->info(d.gradient).type;
    symbol const padding = d.table->constant(static_cast<double>(d.attrs->as<attributes>().padding), d.info(1).type);
    symbol w = number_where(xgrad::not_equal(d.operands[1], padding), type);
    if constexpr (How != combiner::sum) {
        symbol const n = xgrad::maximum(sum_over(w, axis_set::of(1), true), d.table->constant(1, type));
        w = w / (How == combiner::mean ? n : xgrad::sqrt(n));
    }
    symbol const g = reshape_to(d.gradient, shape{3, {bags, one, row}});
    d.values[0] = reshape_to(g * reshape_to(w, shape{3, {bags, length, one}}), rows_shape(table, ids.size()));
    d.indices[0] = flat(d.operands[2]);
}
}

namespace detail {
template<combiner How, class A, class B, class W>
constexpr index_slip slip_of_bags() {
    constexpr auto slip = slip_of_ids<A, B>();
    if constexpr (slip != index_slip::none) return slip;
    else if constexpr (!Expr<W>) return index_slip::no_expression;
    else {
        shape const &table = value_of<A>.dims, &ids = value_of<B>.dims;
        if (value_of<W>.wrong != fault::none) return index_slip::wrong;
        if (table.rank < 1 || ids.rank < 1) return index_slip::rank;
        if (table.rank - 1 + ids.rank - 1 > max_rank) return index_slip::many_axes;
        dtype const t = value_of<W>.type, type = computed_type(value_of<A>.type);
        bool const own = !is_literal<W>;
        if (!is_floating(type) || (own && (computed_type(t) != type || How == combiner::max))) return index_slip::types;
        return !own || repeats_to(value_of<W>.dims, ids) ? index_slip::none : index_slip::shapes;
    }
}
template<index_slip Slip>
constexpr void check_bags() {
    check_ids<Slip>();
    static_assert(
        Slip != index_slip::rank, "xgrad::embedding_bag<how>(table, ids): the table or the ids have no axis; write reshape or expand_dims");
    static_assert(Slip != index_slip::types,
        "xgrad::embedding_bag<how>(table, ids, weights): table or weights are not of one floating type, or combiner::max has weights; "
        "write cast<float>(x)");
    static_assert(Slip != index_slip::shapes,
        "xgrad::embedding_bag<how>(table, ids, weights): the weights do not have the shape of the ids; write reshape or broadcast_to");
}
/// Weights that make the sum of the weighted rows what is asked for.
template<combiner How, class W>
constexpr auto scaled_weights(W const& w) {
    if constexpr (How == combiner::mean) return divide_no_nan(w, sum<-1>(w, keep_dims));
    else if constexpr (How == combiner::sqrtn) {
        auto const squares = sum<-1>(square(w), keep_dims);
        auto const some = greater(squares, literal<0>{});
        using namespace literals;
        return select(some, w / sqrt(select(some, squares, 1_c)), literal<0>{});
    } else return w;
}
template<class T, shape S, shape Pairs, class W>
constexpr auto weights_as(W const& w) {
    if constexpr (is_literal<W>) return repeated_to<Pairs>(cast<T>(w));
    else return reshaped_to<Pairs>(repeated_to<S>(cast<T>(w)));
}
template<class W>
constexpr bool is_weight_of_one() {
    if constexpr (is_literal<W>) return W::number == 1;
    else return false;
}
template<combiner How, std::int64_t Padding, class A, class B, class W>
constexpr auto bags(A const& table, B const& ids, W const& weights) {
    constexpr auto slip = slip_of_bags<How, A, B, W>();
    check_bags<slip>();
    if constexpr (slip == index_slip::no_expression) return refuse_operand<A, B, W>();
    else if constexpr (slip != index_slip::none) return refused{};
    else {
        using T = cpp_type_t<computed_type(value_of<A>.type)>;
        using I = cpp_type_t<value_of<B>.type>;
        constexpr bool padded =
            Padding >= std::numeric_limits<I>::min() && Padding <= std::numeric_limits<I>::max() && Padding != no_padding;
        constexpr shape s = value_of<B>.dims, t = value_of<A>.dims;
        constexpr extent length = s.extents[s.rank - 1];
        constexpr shape before = axes_between(s, 0, s.rank - 1), pairs{2, {before.size(), length}}, result = replaced(t, 0, 1, before);
        if constexpr (is_weight_of_one<W>() && !padded && How != combiner::max) {
            auto const total = embedding_bag(table, ids);
            auto const n = cast<T>(maximum(number_of<std::int64_t, length>(), constant<std::int64_t, 1>));
            if constexpr (How == combiner::sum) return total;
            else if constexpr (How == combiner::mean) return total / n;
            else return total / sqrt(n);
        } else {
            auto const all = weights_as<T, s, pairs>(weights);
            auto const flat = reshaped_to<pairs>(ids);
            auto const apply_bag = [&](auto const& safe, auto const& w) {
                return reshaped_to<result>(apply<op::weighted_bag<How == combiner::max>>(table, safe, scaled_weights<How>(w)));
            };
            if constexpr (!padded) return apply_bag(flat, all);
            else {
                using fill = with<op::without_padding, op::without_padding::attributes{Padding}>;
                auto const safe = reshaped_to<pairs>(apply<fill>(reshaped_to<shape{1, {s.size()}}>(ids)));
                if constexpr (is_weight_of_one<W>() && How != combiner::max)
                    return reshaped_to<result>(
                        apply<with<op::padded_bag<How>, op::without_padding::attributes{Padding}>>(table, flat, safe));
                else {
                    auto const here = not_equal(flat, typed_literal<I, Padding>{});
                    return apply_bag(safe, select(here, all, literal<0>{}));
                }
            }
        }
    }
}
}

/// The rows of each bag of ids [..., length] joined by their sum, mean, maximum, or sum divided by the root of their number:
/// `embedding_bag<combiner::mean>(table, ids)` (TensorFlow's embedding_lookup_sparse, PyTorch's embedding_bag). The result has the
/// shape ids.shape[:-1] + table.shape[1:]. `embedding_bag<combiner::mean, 0>(table, ids)` has bags of different lengths. The second
/// argument is the padding, an id that is omitted; it may also be −1. A bag without ids is 0. The table is of float, double or 16 bits,
/// the result of float or double. An id outside of the table is a value_error.
///
/// Gradient: of the table, sparse: the row of g of a bag, divided like the sum, at each of its ids. For a maximum it is g for the
/// largest elements; tied ones share it equally. Of the ids none.
template<combiner How, std::int64_t Padding = no_padding, class A, class B>
constexpr auto embedding_bag(A const& table, B const& ids) {
    using namespace literals;
    return detail::bags<How, Padding>(table, ids, 1_c);
}
/// The same with a weight for each id: Σ w row, for combiner::mean divided by Σ w, for combiner::sqrtn by √Σ w² (TensorFlow's
/// embedding_lookup_sparse; PyTorch's per_sample_weights for sum). The weights have the shape of the ids, or one that repeats to it,
/// and the type of the table. A row with the weight 0 is not read. A bag whose divisor is 0 is 0. combiner::max takes no weights.
///
/// Gradient: of the table, sparse: w times the row of g of a bag, divided like the sum, at each of its ids. Of the weights, the
/// product of g and the row, and through the divisor.
template<combiner How, std::int64_t Padding = no_padding, class A, class B, class W>
constexpr auto embedding_bag(A const& table, B const& ids, W const& weights) {
    return detail::bags<How, Padding>(table, ids, weights);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
