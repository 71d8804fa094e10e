// SPDX-License-Identifier: MIT
// Blocks of transformers: attention, a feed-forward net, and the norms around them.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/nn/norms.hpp>
#include <xgrad/ops/activations.hpp>

#include <bit>

XGRAD_NAMESPACE_BEGIN

namespace nn {
/// The activation of a feed-forward net.
enum class feedforward : unsigned char { relu, gelu, gelu_tanh, silu };
/// Options of transformer_encoder_block and transformer_decoder_block.
struct transformer_options {
    bool norm_first = false;   ///< x + f(norm(x)) in place of norm(x + f(x)) (PyTorch's norm_first, KerasHub's normalize_first)
    bool causal = false;       ///< position i sees positions 0 … i. A decoder always does
    bool rotary = false;       ///< queries and keys of self-attention turn by rotary_embedding
    feedforward activation = feedforward::relu;
    std::int64_t key_heads = 0;     ///< as in multi_head_options
    double dropout = 0;             ///< the rate after each attention and after the feed-forward net
    double attention_dropout = 0;   ///< of the weights of attention; PyTorch and KerasHub give it the same rate
    double epsilon = 1e-5;          ///< of the norms
};
}

namespace detail {
template<fixed_string Name, nn::transformer_options Options, bool Shared, class X>
constexpr auto dropped(X const& x) {
    constexpr literal<std::bit_cast<std::uint64_t>(Options.dropout)> rate{};
    if constexpr (Options.dropout == 0) return x;
    else if constexpr (Shared) return dropout<Name>(x, rate, nn::shared);
    else return dropout<Name>(x, rate);
}
/// x + F(norm(x)), or norm(x + F(x)).
template<fixed_string Name, nn::transformer_options Options, bool Shared, class X, class F>
struct block_part : let<block_part<Name, Options, Shared, X, F>> {
    template<class Y>
    using norm = nn::norm_layer<of_last_axis, join_names<Name, "norm">(), nn::affine::both, Shared, Y,
        literal<std::bit_cast<std::uint64_t>(Options.epsilon)>>;
    struct sum : let<sum> {
        static constexpr auto value() {
            using input = std::conditional_t<Options.norm_first, norm<X>, X>;
            return X{} + dropped<join_names<Name, "dropout">(), Options, Shared>(F{}(input{}));
        }
    };
    static constexpr auto value() {
        if constexpr (value_of<X>.wrong != fault::none) return X{};   // without a second sentence
        else if constexpr (Options.norm_first || value_of<sum>.wrong != fault::none) return sum{};
        else return norm<sum>{};
    }
};
template<bool Shared, fixed_string Name, std::int64_t Heads, std::int64_t Width, nn::multi_head_options Options, class... A>
constexpr auto attention_of_block(A const&... a) {
    if constexpr (Shared) return nn::multi_head_attention<Name, Heads, Width, Options>(a..., nn::shared);
    else return nn::multi_head_attention<Name, Heads, Width, Options>(a...);
}
/// Attention of a sequence to itself.
template<bool Shared, fixed_string Name, std::int64_t Heads, std::int64_t Width, nn::multi_head_options Options, class... More>
struct attends_to_itself {
    constexpr auto operator()(auto const& x) const { return attention_of_block<Shared, Name, Heads, Width, Options>(x, More{}...); }
};
template<bool Shared, fixed_string Name, std::int64_t Heads, std::int64_t Width, nn::multi_head_options Options, class Memory,
    class... More>
struct attends_to_memory {
    constexpr auto operator()(auto const& x) const {
        return attention_of_block<Shared, Name, Heads, Width, Options>(x, Memory{}, More{}...);
    }
};
template<bool Shared, fixed_string Name, std::int64_t Inner, nn::feedforward Activation>
struct feeds_forward {
    template<std::int64_t Units, fixed_string Layer>
    static constexpr auto layer(auto const& x) {
        if constexpr (Shared) return nn::dense<Layer, Units>(x, nn::shared);
        else return nn::dense<Layer, Units>(x);
    }
    static constexpr auto active(auto const& x) {
        if constexpr (Activation == nn::feedforward::relu) return relu(x);
        else if constexpr (Activation == nn::feedforward::gelu) return gelu(x);
        else if constexpr (Activation == nn::feedforward::gelu_tanh) return gelu_tanh(x);
        else return silu(x);
    }
    template<class X>
    constexpr auto operator()(X const& x) const {
        return layer<features_of<X>, join_names<Name, "feedforward_output">()>(
            active(layer<Inner, join_names<Name, "feedforward_intermediate">()>(x)));
    }
};
template<fixed_string Name, std::int64_t Heads, nn::transformer_options Options, bool Causal, bool Shared, class X, class... More>
constexpr auto self_attended() {
    constexpr nn::multi_head_options how{
        .causal = Causal, .rotary = Options.rotary, .key_heads = Options.key_heads, .dropout = Options.attention_dropout};
    using f = attends_to_itself<Shared, join_names<Name, "self_attention">(), Heads, features_of<X> / Heads, how, More...>;
    return block_part<join_names<Name, "self_attention">(), Options, Shared, X, f>{};
}
template<fixed_string Name, std::int64_t Inner, nn::transformer_options Options, bool Shared, class X>
constexpr auto fed_forward(X const&) {
    return block_part<join_names<Name, "feedforward">(), Options, Shared, X, feeds_forward<Shared, Name, Inner, Options.activation>>{};
}
template<std::int64_t Heads, std::int64_t Inner, nn::transformer_options Options, class X>
constexpr bool block_takes() {
    constexpr bool sequence = has_features<X>, wrong = value_of<X>.wrong != fault::none;
    constexpr bool sizes = Inner >= 1 && Heads >= 1 && (!sequence || features_of<X> % (Heads >= 1 ? Heads : 1) == 0);
    constexpr bool rate = Options.dropout >= 0 && Options.dropout < 1 && Options.attention_dropout >= 0 && Options.attention_dropout < 1;
    static_assert(sequence || wrong,
        "xgrad::nn::transformer_encoder_block, transformer_decoder_block: x is not [batch, length, features] of float or double with an "
        "integer last; write reshape or cast<float>");
    static_assert(sizes || !sequence,
        "xgrad::nn::transformer_encoder_block, transformer_decoder_block: heads do not divide the features, or a size is below 1; write "
        "<\"block\", 8, 2048> for 512 features");
    static_assert(rate, "xgrad::nn::transformer_encoder_block, transformer_decoder_block: the dropout is outside of [0, 1); write "
                        "transformer_options{.dropout = 0.1}");
    return sequence && sizes && rate && !wrong;
}
template<class Tuple>
inline constexpr bool begins_with_sequence = false;
template<class A, class... B>
inline constexpr bool begins_with_sequence<std::tuple<A, B...>> = has_features<A>;
template<class... A>
inline constexpr bool are_shared = (std::is_same_v<A, nn::shared_tag> || ...);
}

namespace nn {

/// See transformer_encoder_block.
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options, bool Shared, class X, class More>
struct transformer_encoder_layer;
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options, bool Shared, class X, class... More>
struct transformer_encoder_layer<Name, Heads, Inner, Options, Shared, X, std::tuple<More...>>
    : let<transformer_encoder_layer<Name, Heads, Inner, Options, Shared, X, std::tuple<More...>>> {
    static constexpr auto value() {
        return detail::fed_forward<Name, Inner, Options, Shared>(
            detail::self_attended<Name, Heads, Options, Options.causal, Shared, X, More...>());
    }
};
/// See transformer_decoder_block.
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options, bool Shared, class X, class More>
struct transformer_decoder_layer;
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options, bool Shared, class X, class Memory,
    class... More>
struct transformer_decoder_layer<Name, Heads, Inner, Options, Shared, X, std::tuple<Memory, More...>>
    : let<transformer_decoder_layer<Name, Heads, Inner, Options, Shared, X, std::tuple<Memory, More...>>> {
    static constexpr auto value() {
        constexpr multi_head_options how{.key_heads = Options.key_heads, .dropout = Options.attention_dropout};
        using f = detail::attends_to_memory<Shared, join_names<Name, "cross_attention">(), Heads, detail::features_of<X> / Heads, how,
            Memory, More...>;
        using attended = decltype(detail::self_attended<Name, Heads, Options, true, Shared, X>());
        return detail::fed_forward<Name, Inner, Options, Shared>(
            detail::block_part<join_names<Name, "cross_attention">(), Options, Shared, attended, f>{});
    }
};

/// An encoder block of a transformer (Vaswani and others 2017; PyTorch's TransformerEncoderLayer, KerasHub's TransformerEncoder):
/// self-attention, then a feed-forward net of `Inner` units. Each has a residual, dropout and a layer norm. x is
/// [batch, length, features], and the result too. The heads divide the features. More arguments are those of
/// scaled_dot_product_attention: a mask of bool, lengths. Dropouts follow the attention and the net, as in KerasHub.
///
/// Variables: those of multi_head_attention under "Name/self_attention"; "Name/feedforward_intermediate/w" and "b",
/// "Name/feedforward_output/w" and "b"; "gamma" and "beta" under "Name/self_attention/norm" and "Name/feedforward/norm". The gammas begin
/// at 1. `train.initialize(glorot_uniform{.seed = 1})` is Keras' start.
/// Two blocks need different names, unless the last argument is nn::shared.
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options = transformer_options{}, class X,
    class... More>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto transformer_encoder_block(
    X const&, More const&... more) {
    if constexpr (!Expr<X>) return detail::refuse_operand<X>();
    else if constexpr (!detail::block_takes<Heads, Inner, Options, X>()) return detail::refused{};
    else {
        using others = decltype(std::tuple_cat(detail::without_tag(more)...));
        return transformer_encoder_layer<Name, Heads, Inner, Options, detail::are_shared<More...>, X, others>{};
    }
}
/// A decoder block of a transformer: causal self-attention, attention to `memory` [batch, keys, features of memory], and a feed-forward
/// net (PyTorch's TransformerDecoderLayer, KerasHub's TransformerDecoder). More arguments are a mask or lengths of the memory. Without a
/// memory it is the block of a language model: `transformer_decoder_block<"block", 8, 2048>(x)`.
///
/// Variables: those of transformer_encoder_block, and the same of attention and norm under "Name/cross_attention".
template<fixed_string Name, std::int64_t Heads, std::int64_t Inner, transformer_options Options = transformer_options{}, class X,
    class... More>
[[nodiscard("a layer is an expression, which computes nothing alone; give it a name")]] constexpr auto transformer_decoder_block(
    X const&, More const&... more) {
    if constexpr (!Expr<X>) return detail::refuse_operand<X>();
    else if constexpr (!detail::block_takes<Heads, Inner, Options, X>()) return detail::refused{};
    else {
        using others = decltype(std::tuple_cat(detail::without_tag(more)...));
        constexpr bool shared = detail::are_shared<More...>;
        constexpr transformer_options alone = [] {
            transformer_options r = Options;
            r.causal = true;
            return r;
        }();
        if constexpr (detail::begins_with_sequence<others>)
            return transformer_decoder_layer<Name, Heads, Inner, Options, shared, X, others>{};
        else return transformer_encoder_layer<Name, Heads, Inner, alone, shared, X, others>{};
    }
}

}   // namespace nn
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
