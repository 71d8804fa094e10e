// SPDX-License-Identifier: MIT
// Layers of sequences for nn::sequential: embeddings and recurrent layers.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/embedding.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/nn/sequential.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn::layer {
/// What a recurrent layer returns: h after the last time step, or of all time steps (nn::return_sequences).
enum class returns : unsigned char { last, sequences };
/// nn::embedding, a first layer: `layer::embedding<1000, 16>{}` of integers.
template<std::int64_t Rows, std::int64_t Width, MemoryElement T = float>
struct embedding {
    static constexpr auto name = fixed_string("embedding");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::embedding<Name, Rows, Width, T>(x);
    }
};
/// nn::rnn: `layer::rnn<32>{}`, or `layer::rnn<32, layer::returns::sequences>{}`.
template<std::int64_t Units, returns R = returns::last, rnn_options Options = rnn_options{}>
struct rnn {
    static constexpr auto name = fixed_string("rnn");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        if constexpr (R == returns::sequences) return nn::rnn<Name, Units, Options>(x, return_sequences);
        else return nn::rnn<Name, Units, Options>(x);
    }
};
/// The same for nn::lstm.
template<std::int64_t Units, returns R = returns::last, lstm_options Options = lstm_options{}>
struct lstm {
    static constexpr auto name = fixed_string("lstm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        if constexpr (R == returns::sequences) return nn::lstm<Name, Units, Options>(x, return_sequences);
        else return nn::lstm<Name, Units, Options>(x);
    }
};
/// The same for nn::gru.
template<std::int64_t Units, returns R = returns::last, gru_options Options = gru_options{}>
struct gru {
    static constexpr auto name = fixed_string("gru");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        if constexpr (R == returns::sequences) return nn::gru<Name, Units, Options>(x, return_sequences);
        else return nn::gru<Name, Units, Options>(x);
    }
};

}   // namespace nn::layer
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
