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
    constexpr auto layer =
        nn::gru<"gru", 3, nn::gru_options{.reset = xg::gru_reset::before_product}>(x, nn::lengths(n), nn::return_sequences);
    check_case<true>("gru_before", layer, std::tuple{}, std::tuple{}, of(layer), lengths);
}
TEST_CASE("a simple recurrent network has tanh or relu") {
    constexpr auto layer = nn::rnn<"rnn", 3>(x, nn::return_sequences);
    check_case<false>("rnn_tanh", layer, std::tuple{}, std::tuple{}, of(layer));
    constexpr auto positive = nn::rnn<"rnn", 3, nn::rnn_options{.activation = xg::rnn_activation::relu}>(x, nn::lengths(n));
    check_case<true>("rnn_relu", positive, std::tuple{}, std::tuple{}, of(positive), lengths);
}
namespace {
constexpr auto layer = nn::lstm<"lstm", 3>(x, nn::lengths(n));
struct own_loop : xg::region {
    static constexpr auto value(auto h, auto c, auto in) {
        constexpr auto next = xg::lstm_cell(in, h, c, layer.u);
        return xg::carry(std::get<0>(next), std::get<1>(next));
    }
};
constexpr auto zeros = xg::broadcast_to<batch, 3>(xg::constant<double, 0>);
constexpr auto input = xg::transpose<1, 0, 2>(xg::matmul(x, layer.w) + layer.b);
constexpr auto own = std::get<0>(xg::scan<own_loop>(xg::carry(zeros, zeros).lengths(n), input));
}   // namespace
TEST_CASE("a cell in a loop is the layer, and start values are those of Keras") {
    xg::variables owner{layer};
    CHECK(owner.value(layer.b)[4] == 1);   // also without initialize
    owner.initialize(xg::zeros_initializer{});
    CHECK(owner.value(layer.u)[0] == 0);
    owner.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::ones_initializer{}, layer.u, layer.b));   // what is named wins
    CHECK(owner.value(layer.u)[7] + owner.value(layer.b)[1] == 2);
    owner.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(layer.forget_bias, layer.b));
    owner.initialize(xg::glorot_uniform{.seed = 1});
    auto const b = owner.value(layer.b);
    for (std::int64_t i = 0; i < 12; ++i) CHECK(b[i] == (i / 3 == 1 ? 1 : 0));
    auto const u = owner.value(layer.u);
    for (std::int64_t i = 0; i < 9; ++i) {
        double dot = 0;
        for (std::int64_t k = 0; k < 12; ++k) dot += u(i / 3, k) * u(i % 3, k);
        CHECK(std::abs(dot - (i / 3 == i % 3)) < 1e-12);
    }
    xg::function f{xg::outputs(layer, own), owner};
    auto const [ours, theirs] = f(x = xg::array(numbers("lstm.x").data(), rows, turns, 4), n = lengths);
    for (std::int64_t i = 0; i < 9; ++i) CHECK(std::abs(ours[i] - theirs[i]) < 1e-13);
    CHECK(ours[0] != 0);
    CHECK(ours[6] == 0);                // length 0
    for (int const wrong : {6, -1}) {   // x has 5 time steps
        auto bad = lengths;
        bad[1] = wrong;
        std::string const message =
            test::message_of<xg::value_error>([&] { f(x = xg::array(numbers("lstm.x").data(), rows, turns, 4), n = bad); });
        CHECK(message == "xgrad: nn::lstm<\"lstm\">(x, lengths(n)), input \"n\": the length " + std::to_string(wrong) +
                             " is outside of [0, 5], the time steps of x; nothing has been updated");
    }
    static_assert(xg::value_of<decltype(xg::rnn_cell(zeros, zeros, xg::variable<"square", double, 3, 3>))>.dims.rank == 2);
}
