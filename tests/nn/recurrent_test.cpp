// SPDX-License-Identifier: MIT
// Recurrent layers: outputs, last states and gradients of Keras, with rows of different lengths.
#include <nn/recurrent.hpp>

using namespace recurrent;

TEST_CASE("an lstm is that of Keras, with lengths, start states and last states") {
    constexpr auto layer = nn::lstm<"lstm", 3>(x, nn::return_sequences, nn::lengths(n), nn::initial_state(start0, start1));
    check_case<true>("lstm", layer, layer.state(), std::tuple{start0, start1}, of(layer), lengths);
}
TEST_CASE("a gru is that of Keras, with the reset gate after the product") {
    constexpr auto layer = nn::gru<"gru", 3>(x, nn::initial_state(start0), nn::lengths(n), nn::return_sequences);
    check_case<true>("gru", layer, layer.state(), std::tuple{start0}, std::tuple{layer.w, layer.u, layer.b, layer.recurrent_b}, lengths);
}
TEST_CASE("a gru has the reset gate before the product") {
    constexpr auto layer = nn::gru<"gru", 3, nn::gru_options{.reset = xg::gru_reset::before_product}>(x, nn::lengths(n), nn::return_sequences);
    check_case<true>("gru_before", layer, std::tuple{}, std::tuple{}, of(layer), lengths);
}
TEST_CASE("a simple recurrent network has tanh or relu") {
    constexpr auto layer = nn::rnn<"rnn", 3>(x, nn::return_sequences);
    check_case<false>("rnn_tanh", layer, std::tuple{}, std::tuple{}, of(layer));
    constexpr auto positive = nn::rnn<"rnn", 3, nn::rnn_options{.activation = xg::rnn_activation::relu}>(x, nn::lengths(n));
    check_case<true>("rnn_relu", positive, std::tuple{}, std::tuple{}, of(positive), lengths);
}
