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
}
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
