// SPDX-License-Identifier: MIT
// The kernels of attention over whole tensors, and their derivatives.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/attention/attention_loops.hpp>
#include <xgrad/ops/linalg/linalg_parts.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN
namespace op {

struct attention_attributes {
    double scale;   // 0: one over the root of the width
    flag causal, lower_right, length_first, padding;
    double dropout = 0;   // of weights
};
/// Which operands follow q, k and v, in this order.
enum attention_operands : unsigned { has_mask = 1, has_bias = 2, has_lengths = 4, has_key = 8 };
constexpr int count_of(unsigned has) { return (has & 1u ? 1 : 0) + (has & 2u ? 1 : 0) + (has & 4u ? 1 : 0) + (has & 8u ? 1 : 0); }
constexpr int place_of(unsigned has, attention_operands which) { return 3 + count_of(has & (which - 1u)); }

/// q, k, v and the results are [batch, heads, length, width], or [batch, length, heads, width].
struct attention_axes {
    int heads, length;
};
constexpr attention_axes axes_of_attention(attributes const& a) {
    return a.as<attention_attributes>().length_first ? attention_axes{2, 1} : attention_axes{1, 2};
}
constexpr double scale_of_attention(attention_attributes const& a, std::int64_t width) {
    if (a.scale != 0) return a.scale;
    if (width < 2) return 1;
    double root = static_cast<double>(width);   // by Newton's iteration: libm is not constexpr
    for (int i = 0; i < 64; ++i) root = 0.5 * (root + static_cast<double>(width) / root);
    return 1 / root;
}

/// Operands of one call, by name.
template<unsigned Has, class T, class... Rest>
struct attention_call {
    attention_attributes const& how;
    tensor_view<T const, 4> const &q, &k, &v;
    std::tuple<Rest const&...> rest;

    template<int K>
    auto const& other() const {
        return std::get<static_cast<std::size_t>(K)>(rest);
    }
    template<class U>
    detail::attend::row_list<U> rows(tensor_view<U, 4> const& x, std::int64_t batch, std::int64_t head) const {
        std::int64_t const width = x.shape(3);
        if (how.length_first) return {x.data() + (batch * x.shape(1) * x.shape(2) + head) * width, x.shape(2) * width};
        return {x.data() + (batch * x.shape(1) + head) * x.shape(2) * width, width};
    }
    template<class U>
    static detail::attend::row_list<U> broadcast_rows(tensor_view<U, 4> const& x, std::int64_t batch, std::int64_t head) {
        std::int64_t const b = x.shape(0) == 1 ? 0 : batch, h = x.shape(1) == 1 ? 0 : head;
        return {x.data() + (b * x.shape(1) + h) * x.shape(2) * x.shape(3), x.shape(2) == 1 ? 0 : x.shape(3)};
    }
    std::int64_t heads() const { return q.shape(how.length_first ? 2 : 1); }
    std::int64_t key_heads() const { return k.shape(how.length_first ? 2 : 1); }
    std::int64_t group() const { return key_heads() == 0 ? 1 : heads() / key_heads(); }
    detail::attend::sizes<T> sizes() const {
        int const length = how.length_first ? 1 : 2;
        return {q.shape(length), k.shape(length), q.shape(3), v.shape(3), static_cast<T>(scale_of_attention(how, q.shape(3)))};
    }
    std::int64_t keys_of(std::int64_t batch) const {
        std::int64_t const all = k.shape(how.length_first ? 1 : 2);
        if constexpr ((Has & has_lengths) != 0) {
            auto const n = other<place_of(Has, has_lengths) - 3>().data()[batch];
            if (n < 0) return 0;
            return static_cast<std::uint64_t>(n) < static_cast<std::uint64_t>(all) ? static_cast<std::int64_t>(n) : all;
        } else return all;
    }
    detail::attend::visibility<T> seen(std::int64_t batch, std::int64_t head) const {
        int const length = how.length_first ? 1 : 2;
        detail::attend::visibility<T> r{
            keys_of(batch), how.causal || how.lower_right, how.lower_right ? k.shape(length) - q.shape(length) : 0, {}, {}};
        if constexpr ((Has & has_mask) != 0) r.mask = broadcast_rows(other<0>(), batch, head);
        if constexpr ((Has & has_key) != 0) {
            auto const& key = other<place_of(Has, has_key) - 3>();
            r.drops = detail::attend::weight_drops<T>::of(key.data(), key.size(), (batch * heads() + head) * q.shape(length), how.dropout);
        }
        if constexpr ((Has & has_bias) != 0) r.bias = broadcast_rows(other<place_of(Has, has_bias) - 3>(), batch, head);
        return r;
    }
};
template<unsigned Has, class T, class... Rest>
attention_call<Has, T, Rest...> call_of(attention_attributes const& how, tensor_view<T const, 4> const& q, tensor_view<T const, 4> const& k,
    tensor_view<T const, 4> const& v, Rest const&... rest) {
    return {how, q, k, v, std::tuple<Rest const&...>(rest...)};
}

/// What the kernels share.
template<unsigned Has>
struct attention_op : kernel_op {
    using attributes = attention_attributes;
    /// [batch, heads] in place of the operand's own layout, then more axes.
    static constexpr shape by_heads(shape const& q, xgrad::attributes const& a) {
        return {2, {q.extents[0], q.extents[axes_of_attention(a).heads]}};
    }
    static constexpr extent const& length_of(shape const& x, xgrad::attributes const& a) { return x.extents[axes_of_attention(a).length]; }
    static constexpr extent turns(kernel_operands const& v) { return by_heads(v.dims(0), v.attrs).size(); }
    /// Products of the whole score matrix with vectors of the width.
    static constexpr extent products(kernel_operands const& v, std::int64_t count) {
        return flops_of_elements(v.dims(0), length_of(v.dims(1), v.attrs), 2 * count);
    }
    static constexpr extent bytes_for(kernel_operands const& v, detail::attend::memory_need need) {
        return bytes_of(v[0].type, length_of(v.dims(1), v.attrs) * static_extent(need.each_key) + static_extent(need.fixed));
    }
};

/// y, and for each row the largest score and the logarithm of the sum of exp(score − the largest): [batch, heads, length, 2]. Their sum
/// would lose the logarithm where the scores are large, as after a bias of −1e9.
template<unsigned Has>
struct attention : attention_op<Has> {
    static constexpr std::string_view name = "attention";
    static constexpr int outputs = 2;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int output) {
        value_info r = v[0];
        if (output == 0) r.dims.extents[3] = v[2].dims.extents[3];
        else
            r.dims = xgrad::detail::joined(
                attention_op<Has>::by_heads(v[0].dims, a), {2, {attention_op<Has>::length_of(v[0].dims, a), static_extent(2)}});
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return attention_op<Has>::products(v, 2); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        std::int64_t const width = v.dims(0).extents[3].constant, values = v.dims(2).extents[3].constant;
        return attention_op<Has>::bytes_for(v, v[0].type == dtype::float64 ? detail::attend::forward_memory<double>(width, values)
                                                                           : detail::attend::forward_memory<float>(width, values));
    }
    template<class T, class... Rest>
    static void run(attention_attributes const& how, kernel_part const& part, tensor_view<T const, 4> q, tensor_view<T const, 4> k,
        tensor_view<T const, 4> v, Rest... rest) {
        auto const call = call_of<Has, T>(how, q, k, v, rest...);
        auto const n = call.sizes();
        auto const& y = call.template other<count_of(Has)>();
        T* const log_sums = call.template other<count_of(Has) + 1>().data();
        detail::attend::pieces<T> memory{reinterpret_cast<T*>(part.scratch)};
        detail::attend::packed_keys<T> const packed(memory, n);
        std::int64_t const heads = call.heads(), group = call.group();
        for (std::int64_t t = part.first; t < part.last; ++t) {
            std::int64_t const batch = t / heads, head = t % heads;
            auto const seen = call.seen(batch, head);
            auto const query = call.rows(q, batch, head);
            auto const key = call.rows(k, batch, head / group), value = call.rows(v, batch, head / group);
            auto const out = call.rows(y, batch, head);
            if (n.rows < detail::attend::tiles_from_rows) {
                detail::attend::forward_of_few_rows<T>(memory, n, query, key, value, seen, out, log_sums + 2 * t * n.rows);
                continue;
            }
            if (t == part.first || head % group == 0) packed.fill(n, seen.keys, key, value);
            detail::attend::forward<T>(memory, n, packed, query, seen, out, log_sums + 2 * t * n.rows);
        }
    }
    static constexpr void derive(derivation& d);
};

/// The gradients of q, k, v, and of the bias if it is wanted. The operands of attention come first, then its outputs and the
/// gradient of y.
template<unsigned Has, bool OfBias>
struct attention_slopes : attention_op<Has> {
    static constexpr std::string_view name = "attention_slopes";
    static constexpr int outputs = OfBias ? 4 : 3;
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int output) {
        return v[output < 3 ? output : place_of(Has, has_bias)];
    }
    static constexpr extent flops(kernel_operands const& v) { return attention_op<Has>::products(v, 5); }
    /// An iteration has all rows that add to one gradient: those of a head of keys, and all that share a bias.
    static constexpr extent turns(kernel_operands const& v) {
        extent batch = v.dims(1).extents[0], heads = v.dims(1).extents[axes_of_attention(v.attrs).heads];
        if (OfBias && is_one(v.dims(place_of(Has, has_bias)).extents[0])) batch = static_extent(1);
        if (OfBias && is_one(v.dims(place_of(Has, has_bias)).extents[1])) heads = static_extent(1);
        return batch * heads;
    }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        std::int64_t const width = v.dims(0).extents[3].constant, values = v.dims(2).extents[3].constant;
        return attention_op<Has>::bytes_for(v, v[0].type == dtype::float64 ? detail::attend::backward_memory<double>(width, values)
                                                                           : detail::attend::backward_memory<float>(width, values));
    }
    template<class T, class... Rest>
    static void run(attention_attributes const& how, kernel_part const& part, tensor_view<T const, 4> q, tensor_view<T const, 4> k,
        tensor_view<T const, 4> v, Rest... rest) {
        auto const call = call_of<Has, T>(how, q, k, v, rest...);
        std::int64_t const key_heads = call.key_heads();
        if constexpr (OfBias) {
            auto const& slope = call.template other<count_of(Has) + 6>();
            std::int64_t const some = slope.shape(0) == 1 ? 1 : k.shape(0), few = slope.shape(1) == 1 ? 1 : key_heads;
            std::int64_t const batches = slope.shape(0) == 1 ? k.shape(0) : 1, heads = slope.shape(1) == 1 ? key_heads : 1;
            std::int64_t const size = some * few == 0 ? 0 : slope.size() / (some * few);
            for (std::int64_t t = part.first; t < part.last; ++t) {
                detail::attend::fill(slope.data() + t * size, T(0), size);
                for (std::int64_t b = 0; b < batches; ++b)
                    for (std::int64_t h = 0; h < heads; ++h) run_head(call, part, t / few + b, t % few + h);
            }
        } else
            for (std::int64_t t = part.first; t < part.last; ++t) run_head(call, part, t / key_heads, t % key_heads);
    }
    static constexpr void derive(derivation& d);

private:
    template<class T, class... Rest>
    static void run_head(attention_call<Has, T, Rest...> const& call, kernel_part const& part, std::int64_t batch, std::int64_t head) {
        constexpr int y = count_of(Has), results = y + 3;
        auto const n = call.sizes();
        std::int64_t const group = call.group(), keys = call.keys_of(batch);
        detail::attend::pieces<T> memory{reinterpret_cast<T*>(part.scratch)};
        detail::attend::packed_slopes<T> const packed(memory, n, keys, call.rows(call.k, batch, head), call.rows(call.v, batch, head));
        for (std::int64_t h = head * group; h < (head + 1) * group; ++h) {
            detail::attend::row_slopes<T> of{call.rows(call.q, batch, h), call.rows(call.template other<y>(), batch, h),
                call.rows(call.template other<y + 2>(), batch, h),
                call.template other<y + 1>().data() + 2 * (batch * call.heads() + h) * n.rows,
                call.rows(call.template other<results>(), batch, h), {}};
            if constexpr (OfBias) of.bias = call.broadcast_rows(call.template other<results + 3>(), batch, h);
            detail::attend::backward<T>(memory, n, packed, of, call.seen(batch, h));
        }
        packed.finish(n, keys, call.rows(call.template other<results + 1>(), batch, head),
            call.rows(call.template other<results + 2>(), batch, head));
    }
};

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

template<unsigned Has>
constexpr void attention<Has>::derive(derivation& d) {
    if (!d.gradients[0].exists()) return;
    symbol operands[max_operands]{};
    int n = 0;
    for (; n < d.count; ++n) operands[n] = d.operands[n];
    for (symbol const more : {d.output(0), d.output(1), d.gradients[0]}) operands[n++] = more;
    bool const of_bias = (Has & has_bias) != 0 && d.wanted[place_of(Has, has_bias)];
    constexpr bool may = (Has & has_bias) != 0;
    op_info const* const slopes = of_bias ? op_register<attention_slopes<Has, may>>::info : op_register<attention_slopes<Has, false>>::info;
    symbol const all = d.table->add(slopes, operands, n, *d.attrs);
    for (int k = 0; k < 3; ++k) d.out[k] = xgrad::detail::output_of(all, k);
    if (of_bias) d.out[place_of(Has, has_bias)] = xgrad::detail::output_of(all, 3);
}

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

// With P the weights, D = g vᵀ and S = P (D − Σ P D): dq = c S k, dk = c Sᵀ q, dv = Pᵀ g, and the slopes of the bias are S.
// With dropout, its factors multiply D and the P of dv.
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
