// SPDX-License-Identifier: MIT
// Scaled dot-product attention that never stores the matrix of scores.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/attention/attention_matrices.hpp>
#include <xgrad/ops/normalization/in_training.hpp>
#include <xgrad/ops/shape_ops.hpp>

XGRAD_NAMESPACE_BEGIN

/// Options of scaled_dot_product_attention.
struct attention_options {
    bool causal = false;         ///< query i sees keys 0 … i (PyTorch's is_causal, also with more keys than queries)
    bool lower_right = false;    ///< causal, but the last query sees all keys (PyTorch's causal_lower_right)
    bool length_first = false;   ///< the layout [batch, length, heads, width] (JAX) in place of [batch, heads, length, width]
    double scale = 0;            ///< the factor of the scores; 0 means 1 / √width
    double dropout = 0;          ///< the share of weights that become 0; needs a name, and eval is without it
};

namespace detail {
enum class attention_slip { none, no_expression, wrong, rank, types, shapes, heads, width, extra, mask, rate, name };
template<class A>
constexpr unsigned attention_operand() {
    if constexpr (!Expr<A>) return 0;
    else if constexpr (is_literal<A>) return 0;
    else {
        dtype const type = computed_type(value_of<A>.type);
        if (type == dtype::boolean) return op::has_mask;
        if (is_floating(type)) return op::has_bias;
        return is_integer(type) ? unsigned(op::has_lengths) : 0u;
    }
}
/// [..., length, keys] with the axes that broadcast, as four axes.
constexpr shape as_mask(shape const& s) {
    shape r{4, {}};
    for (int i = 0; i < 4; ++i) r.extents[i] = i + s.rank < 4 ? static_extent(1) : s.extents[i + s.rank - 4];
    return r;
}
constexpr bool masks(shape const& s, shape const& scores) {
    if (s.rank > 4 || s.rank < 1) return false;
    shape const m = as_mask(s);
    for (int i = 0; i < 3; ++i)
        if (!is_one(m.extents[i]) && !(m.extents[i] == scores.extents[i])) return false;
    return m.extents[3] == scores.extents[3];
}
template<attention_options Options, class Q, class K, class V, class... More>
constexpr attention_slip attention_slip_of() {
    if constexpr (!Expr<Q> || !Expr<K> || !Expr<V> || !(Expr<More> && ...)) return attention_slip::no_expression;
    else {
        value_info const &q = value_of<Q>, &k = value_of<K>, &v = value_of<V>;
        if (q.wrong != fault::none || k.wrong != fault::none || v.wrong != fault::none || ((value_of<More>.wrong != fault::none) || ...))
            return attention_slip::wrong;
        if (q.dims.rank != 4 || k.dims.rank != 4 || v.dims.rank != 4) return attention_slip::rank;
        dtype const type = computed_type(q.type);
        if (!is_floating(type) || computed_type(k.type) != type || computed_type(v.type) != type) return attention_slip::types;
        int const heads = Options.length_first ? 2 : 1, length = 3 - heads;
        extent const *const a = q.dims.extents, *const b = k.dims.extents, *const c = v.dims.extents;
        if (!(a[0] == b[0] && b[0] == c[0] && b[1] == c[1] && b[2] == c[2] && a[3] == b[3])) return attention_slip::shapes;
        if (!(a[heads] == b[heads]) &&
            (!a[heads].is_static() || !b[heads].is_static() || b[heads].constant < 1 || a[heads].constant % b[heads].constant != 0))
            return attention_slip::heads;
        if (!a[3].is_static() || !c[3].is_static()) return attention_slip::width;
        unsigned seen = 0;
        bool known = true;
        for (unsigned const one : {attention_operand<More>()..., 0u}) {
            known = known && (seen & one) == 0;
            seen |= one;
        }
        if (!known || op::count_of(seen) != static_cast<int>(sizeof...(More))) return attention_slip::extra;
        shape const scores{4, {a[0], a[heads], a[length], b[length]}};
        bool fits = true;
        [[maybe_unused]] auto const check = [&](unsigned what, value_info const& m) {
            if (what == op::has_lengths) fits = fits && m.dims.rank == 1 && m.dims.extents[0] == a[0];
            else fits = fits && masks(m.dims, scores) && (what != op::has_bias || computed_type(m.type) == type);
        };
        (check(attention_operand<More>(), value_of<More>), ...);
        return fits ? attention_slip::none : attention_slip::mask;
    }
}
template<attention_slip Slip, class... A>
constexpr auto refuse_attention() {
    static_assert(Slip != attention_slip::rank,
        "xgrad::scaled_dot_product_attention(q, k, v): q, k or v does not have four axes; write reshape to [batch, heads, length, width]");
    static_assert(Slip != attention_slip::types,
        "xgrad::scaled_dot_product_attention(q, k, v): q, k and v are not all float, or all double; write cast<float>(k)");
    static_assert(Slip != attention_slip::shapes,
        "xgrad::scaled_dot_product_attention(q, k, v): batch, keys or width differ between q, k and v; give k the width of q, and v the "
        "keys of k");
    static_assert(Slip != attention_slip::heads,
        "xgrad::scaled_dot_product_attention(q, k, v): the heads of q are no multiple of those of k; give integers such as 8 and 2");
    static_assert(Slip != attention_slip::width,
        "xgrad::scaled_dot_product_attention(q, k, v): the last extent is a named dimension; write an integer, such as 64");
    static_assert(Slip != attention_slip::extra,
        "xgrad::scaled_dot_product_attention(q, k, v, more...): an argument is no mask of bool, bias of float, or lengths of integers, or "
        "is given twice; write one of each");
    static_assert(Slip != attention_slip::mask,
        "xgrad::scaled_dot_product_attention(q, k, v, more...): a mask or bias is not [batch or 1, heads or 1, length or 1, keys] of q's "
        "type, or lengths are not [batch]");
    static_assert(Slip != attention_slip::rate,
        "xgrad::scaled_dot_product_attention<options, name>(q, k, v): the dropout is outside of [0, 1); write attention_options{.dropout = "
        "0.1}");
    static_assert(Slip != attention_slip::name,
        "xgrad::scaled_dot_product_attention<options>(q, k, v): a dropout needs the name of a random stream; write <options, \"drop\">(q, k, v)");
    if constexpr (Slip == attention_slip::no_expression) return refuse_operand<A...>();
    else return refused{};
}
/// The operand of one kind, in the form of the kernel, as a tuple of one or none.
template<unsigned What, class A>
constexpr auto only(A const& a) {
    if constexpr (attention_operand<A>() != What) return std::tuple<>{};
    else if constexpr (What == op::has_lengths) return std::tuple<A>{};
    else return std::tuple{reshaped_to<as_mask(value_of<A>.dims)>(a)};
}
template<class Op, class... A>
constexpr auto attended(std::tuple<A...>) {
    return std::get<0>(apply_all<Op>(A{}...));
}
template<attention_options Options, class... Key, class Q, class K, class V, class... More>
constexpr auto attention_node(std::tuple<Key...> const& key, Q const& q, K const& k, V const& v, More const&... more) {
    constexpr unsigned has = (attention_operand<More>() | ... | (sizeof...(Key) > 0 ? unsigned(op::has_key) : 0u));
    using kernel = with<op::attention<has>,
        op::attention_attributes{Options.scale, Options.causal, Options.lower_right, Options.length_first, false, Options.dropout}>;
    return attended<kernel>(
        std::tuple_cat(std::tuple{q, k, v}, only<op::has_mask>(more)..., only<op::has_bias>(more)..., only<op::has_lengths>(more)..., key));
}
/// Without a tag of sharing.
template<class A>
constexpr auto without_tag(A const& a) {
    if constexpr (std::is_same_v<A, nn::shared_tag>) return std::tuple<>{};
    else return std::tuple{a};
}
template<fixed_string Name, attention_options Options, bool Shared, class Q, class K, class V, class... More>
constexpr auto attention_with_dropout(Q const& q, K const& k, V const& v, std::tuple<More...> const&) {
    constexpr attention_slip found = attention_slip_of<Options, Q, K, V, More...>();
    constexpr bool is_rate = Options.dropout >= 0 && Options.dropout < 1;
    constexpr attention_slip slip = found == attention_slip::none && !is_rate ? attention_slip::rate : found;
    constexpr attention_options whole{Options.causal, Options.lower_right, Options.length_first, Options.scale, 0};
    if constexpr (slip != attention_slip::none) return refuse_attention<slip, Q, K, V, More...>();
    else if constexpr (Options.dropout == 0) return attention_node<whole>(std::tuple<>{}, q, k, v, More{}...);
    else {
        constexpr auto numbers = repeated_to<shape{1, {static_extent(4)}}>(constant<cpp_type_t<computed_type(value_of<Q>.type)>, 0>);
        constexpr auto key = [](auto const& x) {
            if constexpr (Shared) return uniform_like<Name>(x, nn::shared);
            else return uniform_like<Name>(x);
        }(numbers);
        return in_training(
            attention_node<Options>(std::tuple{key}, q, k, v, More{}...), attention_node<whole>(std::tuple<>{}, q, k, v, More{}...));
    }
}
}

/// Attention: softmax(scale q kᵀ + bias) v for each head (PyTorch's scaled_dot_product_attention, JAX's dot_product_attention). q is
/// [batch, heads, length, width], k [batch, key heads, keys, width], v [batch, key heads, keys, value width], in float or double.
/// The heads are a multiple of the key heads, and consecutive ones share keys. The result is
/// [batch, heads, length, value width]. The scores are never stored: memory grows with length and keys, not with their product.
///
/// `scaled_dot_product_attention<attention_options{.causal = true}>(q, k, v, more...)` takes options. More arguments come in any order,
/// and their types tell what they are:
/// - bool: a mask, true where a key is seen.
/// - the type of q: a bias. −∞ in it works like a mask.
/// - integers [batch]: lengths. Keys from there on are not read.
///
/// Mask and bias are [batch or 1, heads or 1, length or 1, keys]; leading axes may be omitted. A row that sees no key is 0, where
/// older PyTorch and JAX return NaN.
/// A key of NaN makes the gradient of q NaN, even where a mask hides the key: the gradient adds 0 · NaN. Lengths hide such keys wholly.
///
/// Gradient: of q, k, v and the bias, by blocks too. A row without keys adds nothing. Second derivatives exist, and store
/// whole matrices of scores.
template<attention_options Options = attention_options{}, class Q, class K, class V, class... More>
constexpr auto scaled_dot_product_attention(Q const& q, K const& k, V const& v, More const&... more) {
    constexpr auto found = detail::attention_slip_of<Options, Q, K, V, More...>();
    constexpr auto slip = found == detail::attention_slip::none && Options.dropout != 0 ? detail::attention_slip::name : found;
    if constexpr (slip != detail::attention_slip::none) return detail::refuse_attention<slip, Q, K, V, More...>();
    else return detail::attention_node<Options>(std::tuple<>{}, q, k, v, more...);
}
/// The same with dropout of the weights (PyTorch's dropout_p, Keras' dropout):
/// `scaled_dot_product_attention<attention_options{.dropout = 0.1}, "drop">(q, k, v, more...)`. Weights become 0 with this probability,
/// and the others are divided by 1 − dropout. The name selects the random stream, as in dropout. Another attention with the numbers of
/// this name has `nn::shared` as its last argument. eval(y) has no dropout. Numbers come from the positions of the weights, so no
/// matrix of them is stored.
/// Gradient: that of the weights that stay. Second derivatives store whole matrices.
template<attention_options Options, fixed_string Name, class Q, class K, class V, class... More>
constexpr auto scaled_dot_product_attention(Q const& q, K const& k, V const& v, More const&... more) {
    return detail::attention_with_dropout<Name, Options, (std::is_same_v<More, nn::shared_tag> || ...)>(
        q, k, v, std::tuple_cat(detail::without_tag(more)...));
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
