// SPDX-License-Identifier: MIT
// Multi-head attention with its own variables, and learned position embeddings.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/ops/attention/attention.hpp>
#include <xgrad/ops/attention/rotary.hpp>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// x [..., inner...] times a kernel [inner..., outer...], with `Inner` inner axes, and the bias [product of outer...] if there is one:
/// [..., outer...].
template<int Inner>
struct shared_projection : composite_op {
    static constexpr std::string_view name = "projection";
    static constexpr value_info infer(value_info const* v, int, attributes const&) {
        value_info r = v[0];
        r.dims.rank -= Inner;
        for (int i = Inner; i < v[1].dims.rank; ++i) r.dims.extents[r.dims.rank++] = v[1].dims.extents[i];
        return r;
    }
    static constexpr symbol expand(symbol_table& t, symbol const* x, int count, attributes const& a) {
        value_info const v[]{t.info(x[0]), t.info(x[1])};
        extent inner = static_extent(1), outer = inner;
        for (int i = 0; i < v[1].dims.rank; ++i) (i < Inner ? inner : outer) = (i < Inner ? inner : outer) * v[1].dims.extents[i];
        shape rows = v[0].dims;
        rows.rank -= Inner;
        rows.extents[rows.rank++] = inner;
        symbol const product = multiply(reshape_to(x[0], rows), reshape_to(x[1], {2, {inner, outer}}), false, false);
        return reshape_to(count > 2 ? product + x[2] : product, infer(v, 2, a).dims);
    }
};
template<int Inner>
struct projection : shared_projection<Inner> {
    static constexpr int owned = 1;   // the kernel belongs to the layer
    template<class... A>
    using shared = node<shared_projection<Inner>, A...>;
};
}

namespace nn {
/// Options of multi_head_attention.
struct multi_head_options {
    bool causal = false;             ///< query i sees keys 0 … i (Keras' use_causal_mask)
    bool bias = true;                ///< the four products have biases (Keras' use_bias)
    bool rotary = false;             ///< queries and keys turn by rotary_embedding
    std::int64_t key_heads = 0;      ///< heads of keys and values, which divide the heads (Keras' GroupQueryAttention); 0: all
    std::int64_t value_width = 0;    ///< of a head; 0: the width
    std::int64_t output_width = 0;   ///< 0: the features of the query
    double dropout = 0;              ///< of the weights (Keras' dropout); eval is without it
};
}

namespace detail {
template<class A>
constexpr bool is_sequence() {
    if constexpr (!Expr<A>) return false;
    else return value_of<A>.wrong == fault::none && value_of<A>.dims.rank == 3 && has_gradient(value_of<A>.type) && !is_literal<A>;
}
template<class A>
constexpr bool with_features() {
    if constexpr (!is_sequence<A>()) return false;
    else return value_of<A>.dims.extents[2].is_static();
}
template<class A>
inline constexpr bool has_features = with_features<A>();
template<class A>
inline constexpr std::int64_t features_of = value_of<A>.dims.rank == 3 ? value_of<A>.dims.extents[2].constant : 0;
/// The arguments of a layer of attention: query, value, key, and what is left.
template<class Q, class V, class K, class... More>
struct attention_arguments {};
template<class Q, class... A>
constexpr auto sorted_arguments(Q, std::tuple<A...>) {
    if constexpr (sizeof...(A) > 0) {
        return []<class V, class... B>(std::tuple<V, B...>) {
            if constexpr (!has_features<V>) return attention_arguments<Q, Q, Q, V, B...>{};
            else if constexpr (sizeof...(B) > 0) {
                return []<class K, class... C>(std::tuple<K, C...>) {
                    if constexpr (has_features<K>) return attention_arguments<Q, V, K, C...>{};
                    else return attention_arguments<Q, V, V, K, C...>{};
                }(std::tuple<B...>{});
            } else return attention_arguments<Q, V, V>{};
        }(std::tuple<A...>{});
    } else return attention_arguments<Q, Q, Q>{};
}
template<bool Shared, bool Bias, int Inner, class X, class Kernel, class B>
constexpr auto projected(X const& x, Kernel const& kernel, B const& bias) {
    using O = std::conditional_t<Shared, op::shared_projection<Inner>, op::projection<Inner>>;
    if constexpr (Bias) return apply<O>(x, kernel, bias);
    else return apply<O>(x, kernel);
}
}

namespace nn {

/// Attention of several heads, see multi_head_attention.
template<fixed_string Name, std::int64_t Heads, std::int64_t Width, multi_head_options Options, bool Shared, class Arguments>
struct multi_head_attention_layer;
template<fixed_string Name, std::int64_t Heads, std::int64_t Width, multi_head_options Options, bool Shared, class Q, class V, class K,
    class... More>
struct multi_head_attention_layer<Name, Heads, Width, Options, Shared, detail::attention_arguments<Q, V, K, More...>>
    : let<multi_head_attention_layer<Name, Heads, Width, Options, Shared, detail::attention_arguments<Q, V, K, More...>>> {
    using element = cpp_type_t<computed_type(value_of<Q>.type)>;
    static constexpr std::int64_t key_heads = Options.key_heads > 0 ? Options.key_heads : Heads,
                                  value_width = Options.value_width > 0 ? Options.value_width : Width,
                                  output_width = Options.output_width > 0 ? Options.output_width : detail::features_of<Q>;
    static constexpr variable_type<join_names<Name, "query/kernel">(), element, true, detail::features_of<Q>, Heads, Width> query_kernel{};
    static constexpr variable_type<join_names<Name, "query/bias">(), element, true, Heads * Width> query_bias{};
    static constexpr variable_type<join_names<Name, "key/kernel">(), element, true, detail::features_of<K>, key_heads, Width> key_kernel{};
    static constexpr variable_type<join_names<Name, "key/bias">(), element, true, key_heads * Width> key_bias{};
    static constexpr variable_type<join_names<Name, "value/kernel">(), element, true, detail::features_of<V>, key_heads, value_width>
        value_kernel{};
    static constexpr variable_type<join_names<Name, "value/bias">(), element, true, key_heads * value_width> value_bias{};
    static constexpr variable_type<join_names<Name, "attention_output/kernel">(), element, true, Heads, value_width, output_width>
        output_kernel{};
    static constexpr variable_type<join_names<Name, "attention_output/bias">(), element, true, output_width> output_bias{};

    static constexpr auto value() {
        constexpr attention_options how{.causal = Options.causal, .length_first = true, .dropout = Options.dropout};
        auto const q = turned(detail::projected<Shared, Options.bias, 1>(Q{}, query_kernel, query_bias));
        auto const k = turned(detail::projected<Shared, Options.bias, 1>(K{}, key_kernel, key_bias));
        auto const v = detail::projected<Shared, Options.bias, 1>(V{}, value_kernel, value_bias);
        auto const y = detail::attention_with_dropout<join_names<Name, "attention_dropout">(), how, Shared>(q, k, v, std::tuple<More...>{});
        if constexpr (value_of<decltype(y)>.wrong != fault::none) return y;
        else return detail::projected<Shared, Options.bias, 2>(y, output_kernel, output_bias);
    }

private:
    template<class X>
    static constexpr auto turned(X const& x) {
        if constexpr (Options.rotary) return rotary_embedding<rotary_options{.length_first = true}>(x);
        else return x;
    }
};

/// Multi-head attention of sequences [batch, length, features], in float or double (Keras' MultiHeadAttention and
/// GroupQueryAttention): `multi_head_attention<"attention", heads, width>(query, value, key, more...)`. Without a key it is the value,
/// without a value it is the query. More arguments are those of scaled_dot_product_attention: a mask of bool, lengths of the keys.
/// The result is [batch, length, features of the query].
///
/// Variables: "Name/query/kernel" [features, heads, width], "Name/key/kernel", "Name/value/kernel", "Name/attention_output/kernel"
/// [heads, width, features], and their biases, which have one axis. Keras begins with glorot_uniform, and biases of 0:
/// `train.initialize(glorot_uniform{.seed = 1})`. A dropout has the random stream "Name/attention_dropout".
/// Two layers need different names, unless the last argument is nn::shared.
template<fixed_string Name, std::int64_t Heads, std::int64_t Width, multi_head_options Options = multi_head_options{}, class Q,
    class... More>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto multi_head_attention(
    Q const& query, More const&... more) {
    constexpr bool sequence = detail::is_sequence<Q>();
    constexpr bool integer = sequence && value_of<Q>.dims.extents[2].is_static();
    constexpr bool heads = Heads >= 1 && Width >= 1 && Heads % (Options.key_heads > 0 ? Options.key_heads : 1) == 0;
    static_assert(!Expr<Q> || sequence || value_of<Q>.wrong != fault::none,
        "xgrad::nn::multi_head_attention<name, heads, width>(query): query is not [batch, length, features] of float or double; write "
        "reshape or cast<float>");
    static_assert(!sequence || integer,
        "xgrad::nn::multi_head_attention<name, heads, width>(query): the last extent of query is a named dimension; declare it with an "
        "integer");
    static_assert(heads || !sequence,
        "xgrad::nn::multi_head_attention<name, heads, width>(query): heads or width is below 1, or key_heads does not divide heads; "
        "write <\"a\", 8, 64>");
    if constexpr (!Expr<Q>) return detail::refuse_operand<Q>();
    else if constexpr (!sequence || !integer || !heads) return detail::refused_layer{};
    else {
        using arguments = decltype(detail::sorted_arguments(query, std::tuple_cat(detail::without_tag(more)...)));
        return multi_head_attention_layer<Name, Heads, Width, Options, (std::is_same_v<More, shared_tag> || ...), arguments>{};
    }
}
// catches multi_head_attention<"name", 2>(query)
template<fixed_string Name, std::int64_t Heads, class Q, class... More>
constexpr auto multi_head_attention(Q const&, More const&...) {
    static_assert(
        detail::never<Q>, "xgrad::nn::multi_head_attention<name, heads, width>(query): there is no width of a head; write <\"a\", 8, 64>");
    return detail::refused_layer{};
}

/// The first rows of the variable "Name/table" [Rows, features], as many as x [..., length, features] is long.
template<fixed_string Name, std::int64_t Rows, class X>
struct position_embedding_layer : let<position_embedding_layer<Name, Rows, X>> {
    static constexpr shape dims = value_of<X>.dims;
    using element = cpp_type_t<computed_type(value_of<X>.type)>;
    static constexpr variable_type<join_names<Name, "table">(), element, true, Rows, dims.extents[dims.rank - 1].constant> table{};
    static constexpr auto value() { return slice<0, 0, dims.extents[dims.rank - 2]>(table); }
};
/// Learned positions [length, features] for x [..., length, features]: `x + nn::position_embedding<"positions", 512>(x)` (KerasHub's
/// PositionEmbedding). A sequence has at most 512 rows; a longer one is refused by the compiler or by the call.
template<fixed_string Name, std::int64_t Rows, class X>
constexpr auto position_embedding(X const&) {
    constexpr bool floating = !Expr<X> || value_of<X>.wrong != fault::none || has_gradient(value_of<X>.type);
    constexpr bool rows = !Expr<X> || value_of<X>.wrong != fault::none ||
                          (value_of<X>.dims.rank >= 2 && value_of<X>.dims.extents[value_of<X>.dims.rank - 1].is_static());
    static_assert(floating && rows,
        "xgrad::nn::position_embedding<name, rows>(x): x is not [..., length, features] of float or double with an integer last; write "
        "reshape or cast<float>");
    constexpr bool long_enough = [] {
        if constexpr (!Expr<X>) return true;
        else if constexpr (!rows || value_of<X>.wrong != fault::none) return true;
        else {
            extent const length = value_of<X>.dims.extents[value_of<X>.dims.rank - 2];
            return !length.is_static() || length.constant <= Rows;
        }
    }();
    static_assert(long_enough,
        "xgrad::nn::position_embedding<name, rows>(x): the sequences of x are longer than the table has rows; write a larger number of "
        "rows");
    if constexpr (!Expr<X>) return detail::refuse_operand<X>();
    else if constexpr (!floating || !rows || !long_enough || value_of<X>.wrong != fault::none) return detail::refused_layer{};
    else return position_embedding_layer<Name, Rows, X>{};
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
