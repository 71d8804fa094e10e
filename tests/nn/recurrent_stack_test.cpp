// SPDX-License-Identifier: MIT
// Bidirectional, stacked and projected recurrent layers, and peepholes: outputs, last states and gradients of Keras, PyTorch and JAX.
#include <nn/recurrent.hpp>

using namespace recurrent;

TEST_CASE("two directions are those of Keras") {
    constexpr auto layer = nn::rnn<"two", 3, nn::rnn_options{.bidirectional = true}>(x, nn::return_sequences, nn::lengths(n));
    check_case<true>("two", layer, std::tuple{}, std::tuple{}, std::tuple_cat(of(layer.forward), of(layer.backward)), lengths);
}
TEST_CASE("stacked layers of two directions are those of PyTorch") {
    constexpr auto layer =
        nn::lstm<"stack", 3, nn::lstm_options{.layers = 2, .bidirectional = true}>(x, nn::return_sequences, nn::lengths(n));
    constexpr auto variables =
        std::tuple_cat(of(layer.layer<0>.forward), of(layer.layer<0>.backward), of(layer.layer<1>.forward), of(layer.layer<1>.backward));
    check_case<true>("stack", layer, std::tuple{}, std::tuple{}, variables, at_least_one);
}
TEST_CASE("projections are those of PyTorch") {
    constexpr auto layer = nn::lstm<"projected", 3, nn::lstm_options{.projection = 2}>(x, nn::return_sequences);
    check_case<false>("projected", layer, layer.state(), std::tuple{}, std::tuple_cat(of(layer), std::tuple{layer.p}));
}
TEST_CASE("peepholes, and rows that are read backwards") {
    constexpr auto layer = nn::lstm<"peepholes", 3, nn::lstm_options{.peepholes = true}>(x, nn::return_sequences, nn::backwards);
    check_case<false>("peepholes", layer, std::tuple{}, std::tuple{}, std::tuple_cat(of(layer), std::tuple{layer.peepholes}));
}
