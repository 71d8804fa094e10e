// SPDX-License-Identifier: MIT
// Second derivatives of attention, which store whole matrices of weights.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/attention/attention_kernels.hpp>

XGRAD_NAMESPACE_BEGIN
namespace op {

/// The whole matrices of weights [batch, heads, length, keys], for second derivatives. The second result of attention is the last operand.
template<unsigned Has>
struct attention_weights : attention_op<Has> {
    static constexpr std::string_view name = "attention_weights";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        using base = attention_op<Has>;
        return {v[0].type,
            xgrad::detail::joined(base::by_heads(v[0].dims, a), {2, {base::length_of(v[0].dims, a), base::length_of(v[1].dims, a)}}),
            fault::none};
    }
    static constexpr extent flops(kernel_operands const& v) { return attention_op<Has>::products(v, 1); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        return bytes_of(v[0].type, attention_op<Has>::length_of(v.dims(1), v.attrs) + static_extent(64));
    }
    template<class T, class... Rest>
    static void run(attention_attributes const& how, kernel_part const& part, tensor_view<T const, 4> q, tensor_view<T const, 4> k,
        tensor_view<T const, 4> v, Rest... rest) {
        auto const call = call_of<Has, T>(how, q, k, v, rest...);
        auto const n = call.sizes();
        using V = simd::batch<T>;
        T const* const log_sums = call.template other<count_of(Has)>().data();
        T* const weights = call.template other<count_of(Has) + 1>().data();
        T* const s = reinterpret_cast<T*>(part.scratch);
        std::int64_t const heads = call.heads(), group = call.group();
        for (std::int64_t row = part.first * n.rows; row < part.last * n.rows; ++row) {
            std::int64_t const i = row % n.rows, batch = row / n.rows / heads, head = row / n.rows % heads;
            auto const seen = call.seen(batch, head);
            auto const keys = call.rows(k, batch, head / group);
            T const* const query = call.rows(q, batch, head).at(i);
            for (std::int64_t j = 0; j < seen.keys; ++j) s[j] = n.factor * detail::attend::dot(query, keys.at(j), n.width);
            std::int64_t const count = seen.keys < seen.seen_by(i) ? seen.keys : seen.seen_by(i);
            seen.apply(s, i, 0, count);
            for (std::int64_t j = 0; j < n.keys; ++j)
                weights[row * n.keys + j] =
                    j < count ? detail::attend::weights_of<T>(V(s[j]), V(log_sums[2 * row]), V(log_sums[2 * row + 1]))[0] : T(0);
        }
    }
    static constexpr void derive(derivation& d);
};

/// The factors [batch, heads, length, keys] of the weights: 0 where dropout is, for second derivatives.
template<unsigned Has>
struct attention_factors : attention_op<Has> {
    static constexpr std::string_view name = "attention_factors";
    static constexpr value_info infer(value_info const* v, int count, xgrad::attributes const& a, int output) {
        return attention_weights<Has>::infer(v, count, a, output);
    }
    static constexpr extent flops(kernel_operands const& v) { return attention_op<Has>::products(v, 1); }
    template<class T, class... Rest>
    static void run(attention_attributes const& how, kernel_part const& part, tensor_view<T const, 4> q, tensor_view<T const, 4> k,
        tensor_view<T const, 4> v, Rest... rest) {
        auto const call = call_of<Has, T>(how, q, k, v, rest...);
        auto const n = call.sizes();
        T* const factors = call.template other<count_of(Has)>().data();
        std::int64_t const heads = call.heads();
        for (std::int64_t t = part.first; t < part.last; ++t) {
            auto const seen = call.seen(t / heads, t % heads);
            for (std::int64_t i = 0; i < n.rows; ++i) {
                T* const row = factors + (t * n.rows + i) * n.keys;
                detail::attend::fill(row, T(1), n.keys);
                seen.drops.apply(row, i, 0, n.keys);
            }
        }
    }
    static constexpr void derive(derivation&) {}
};

// Second derivatives store whole matrices of weights. The heads that share keys are rows of one matrix.
struct attention_matrices {
    symbol_table* table;
    shape queries, keys;   // with the heads before the length
    bool length_first;
    double scale;

    static constexpr symbol exchanged(symbol x) {
        axis_list order{};
        for (int axis : {0, 2, 1, 3}) order.push(axis);
        return apply_with<transpose>({order}, x);
    }
    constexpr attention_matrices(derivation const& d) : table(d.table), queries(d.info(0).dims), keys(d.info(1).dims) {
        auto const how = d.attrs->as<attention_attributes>();
        length_first = how.length_first;
        scale = scale_of_attention(how, queries.extents[3].constant);
        if (!length_first) return;
        for (shape* s : {&queries, &keys}) {
            extent const heads = s->extents[2];
            s->extents[2] = s->extents[1];
            s->extents[1] = heads;
        }
    }
    constexpr extent rows() const {
        if (queries.extents[1] == keys.extents[1]) return queries.extents[2];
        return queries.extents[2] * static_extent(queries.extents[1].constant / keys.extents[1].constant);
    }
    /// [batch · heads of keys, rows or keys, columns].
    constexpr symbol stack(symbol x, bool of_keys) const {
        if (!x.exists()) return x;
        symbol const by_heads = length_first ? exchanged(x) : x;
        return as_stack(by_heads, of_keys);
    }
    constexpr symbol as_stack(symbol by_heads, bool of_keys) const {
        return reshape_to(
            by_heads, {3, {keys.extents[0] * keys.extents[1], of_keys ? keys.extents[2] : rows(), table->info(by_heads).dims.extents[3]}});
    }
    constexpr symbol unstack(symbol x, bool of_keys) const {
        if (!x.exists()) return x;
        shape s = of_keys ? keys : queries;
        s.extents[3] = table->info(x).dims.extents[2];
        symbol const by_heads = reshape_to(x, s);
        return length_first ? exchanged(by_heads) : by_heads;
    }
    constexpr symbol sum_of_keys(symbol x) const { return sum_over(x, axis_set::of(2), true); }
    constexpr symbol scaled(symbol x) const { return x.exists() ? x * table->constant(scale, table->info(x).type) : x; }
};
constexpr symbol plus(symbol a, symbol b) { return !a.exists() ? b : !b.exists() ? a : a + b; }
/// The product of each pair; it does not exist if a does not.
constexpr symbol pairs(symbol a, symbol b, bool ta = false, bool tb = false) {
    return a.exists() && b.exists() ? multiply_pairs(a, b, ta, tb) : symbol{};
}
/// The weights of the scores of q and k in the operands of a derivation, as a stack.
template<unsigned Has>
constexpr symbol weights_of(derivation const& d, attention_matrices const& m, symbol log_sums) {
    symbol operands[max_operands]{};
    int n = 0;
    for (; n < 3 + count_of(Has); ++n) operands[n] = d.operands[n];
    operands[n++] = log_sums;
    return m.as_stack(d.table->add(op_register<attention_weights<Has>>::info, operands, n, *d.attrs), false);
}

/// Dropout of weights or of their gradients.
template<unsigned Has>
constexpr symbol dropped(derivation const& d, attention_matrices const& m, symbol x) {
    if constexpr ((Has & has_key) == 0) return x;
    else
        return x.exists()
                   ? x * m.as_stack(d.table->add(op_register<attention_factors<Has>>::info, d.operands, 3 + count_of(Has), *d.attrs), false)
                   : x;
}

// The factors of dropout multiply D, and the P of dv.

// With P the weights, D = g vᵀ and S = P (D − Σ P D): dq = c S k, dk = c Sᵀ q, dv = Pᵀ g, and the slopes of the bias are S.
template<unsigned Has, bool OfBias>
constexpr void attention_slopes<Has, OfBias>::derive(derivation& d) {
    constexpr int y = 3 + count_of(Has);
    attention_matrices const m(d);
    symbol const p = weights_of<Has>(d, m, d.operands[y + 1]);
    symbol const q = m.stack(d.operands[0], false), k = m.stack(d.operands[1], true), v = m.stack(d.operands[2], true);
    symbol const g = m.stack(d.operands[y + 2], false);
    symbol const of_q = m.scaled(m.stack(d.gradients[0], false)), of_k = m.scaled(m.stack(d.gradients[1], true));
    symbol const of_v = m.stack(d.gradients[2], true), dp = dropped<Has>(d, m, multiply_pairs(g, v, false, true)),
                 centred = dp - m.sum_of_keys(p * dp);
    symbol const s = p * centred;
    symbol x = plus(pairs(of_q, k, false, true), pairs(q, of_k, false, true));   // of S
    if (OfBias && d.gradients[3].exists()) {
        shape all = m.queries;
        all.extents[3] = m.keys.extents[2];
        x = plus(x, m.as_stack(broadcast_symbol(d.gradients[3], all), false));
    }
    symbol of_p = dropped<Has>(d, m, pairs(g, of_v, false, true)), of_dp{};
    if (x.exists()) {
        symbol const mean = m.sum_of_keys(p * x);
        of_dp = p * (x - mean);
        of_p = plus(of_p, x * centred - mean * dp);
    }
    if (!of_p.exists()) return;
    symbol const z = p * (of_p - m.sum_of_keys(p * of_p));   // of the scores
    d.out[0] = m.unstack(plus(m.scaled(pairs(z, k)), pairs(s, of_k)), false);
    d.out[1] = m.unstack(plus(m.scaled(pairs(z, q, true)), pairs(s, of_q, true)), true);
    of_dp = dropped<Has>(d, m, of_dp);
    d.out[2] = m.unstack(pairs(of_dp, g, true), true);
    d.out[y + 2] = m.unstack(plus(pairs(of_dp, v), pairs(of_v.exists() ? dropped<Has>(d, m, p) : p, of_v)), false);
    if constexpr ((Has & has_bias) != 0) {
        shape all = m.queries;
        all.extents[3] = m.keys.extents[2];
        d.out[place_of(Has, has_bias)] = reshape_to(z, all);
    }
}
template<unsigned Has>
constexpr void attention_weights<Has>::derive(derivation& d) {
    attention_matrices const m(d);
    symbol const p = m.as_stack(d.result, false), g = m.as_stack(d.gradient, false), s = p * (g - m.sum_of_keys(p * g));
    d.out[0] = m.unstack(m.scaled(pairs(s, m.stack(d.operands[1], true))), false);
    d.out[1] = m.unstack(m.scaled(pairs(s, m.stack(d.operands[0], false), true)), true);
    if constexpr ((Has & has_bias) != 0) d.out[place_of(Has, has_bias)] = reshape_to(s, d.table->info(d.result).dims);
}
}
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
