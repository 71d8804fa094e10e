// SPDX-License-Identifier: MIT
// Blocks of transformers for nn::sequential.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/sequential.hpp>
#include <xgrad/nn/transformer.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn::layer {
/// x + nn::position_embedding: learned positions of at most Rows rows.
template<std::int64_t Rows>
struct position_embedding {
    static constexpr auto name = fixed_string("position_embedding");
    template<fixed_string Name>
    struct positions {
        constexpr auto operator()(auto const& x) const { return nn::position_embedding<Name, Rows>(x); }
    };
    template<fixed_string Name, class X>
    static constexpr auto make(X const&) {
        return residual_block<positions<Name>, X>{};
    }
};
/// nn::transformer_encoder_block.
template<std::int64_t Heads, std::int64_t Inner, transformer_options Options = transformer_options{}>
struct transformer_encoder_block {
    static constexpr auto name = fixed_string("transformer_encoder_block");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::transformer_encoder_block<Name, Heads, Inner, Options>(x);
    }
};
/// nn::transformer_decoder_block without a memory, the block of a language model.
template<std::int64_t Heads, std::int64_t Inner, transformer_options Options = transformer_options{}>
struct transformer_decoder_block {
    static constexpr auto name = fixed_string("transformer_decoder_block");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::transformer_decoder_block<Name, Heads, Inner, Options>(x);
    }
};

}   // namespace nn::layer
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
