// SPDX-License-Identifier: MIT
// Recurrent layers against finite differences, in float and of second order; rows without time steps; shared variables.
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {
namespace xg = xgrad;
namespace nn = xgrad::nn;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
template<class T>
constexpr auto x = xg::input<"x", T, batch, steps, 2>;
constexpr auto n = xg::input<"n", std::uint8_t, batch>;
std::vector<std::uint8_t> const lengths{4, 0, 2};

template<class T>
std::vector<T> numbers(std::size_t count) {
    std::vector<T> r(count);
    for (std::size_t i = 0; i < count; ++i) r[i] = static_cast<T>(std::sin(static_cast<double>(3 * i * i % 101)));
    return r;
}
}   // namespace

TEST_CASE("gradients in float") {
    constexpr nn::lstm_options drops{.dropout = 0.25, .recurrent_dropout = 0.5};
    constexpr auto layer = nn::lstm<"lstm", 3, drops>(x<float>, nn::lengths(n), nn::return_sequences, nn::backwards);
    constexpr auto loss = xg::sum(xg::square(layer));
    xg::variables owner{loss};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    auto const values = numbers<float>(24);
    auto const report = xg::check_gradients(
        loss, xg::wrt(layer.w, layer.u, layer.b, x<float>), owner, x<float> = xg::array(values.data(), 3, 4, 2), n = lengths);
    CHECK_MESSAGE(report, report.message);
    // x w of the first gate is the state itself: each row shows its masks in all time steps.
    constexpr auto gru = nn::gru<"gru", 2, nn::gru_options{.dropout = 0.5, .recurrent_dropout = 0.25}>(x<float>, nn::return_sequences);
    constexpr auto rnn =
        nn::rnn<"rnn", 2, nn::rnn_options{.activation = xg::rnn_activation::relu, .dropout = 0.5, .recurrent_dropout = 0.25}>(
            x<float>, nn::return_sequences);
    constexpr auto plain =
        nn::rnn<"rnn", 2, nn::rnn_options{.activation = xg::rnn_activation::relu}>(x<float>, nn::return_sequences, nn::shared);
    constexpr auto plain_gru = nn::gru<"gru", 2>(x<float>, nn::return_sequences, nn::shared);
    xg::variables all{layer, gru, rnn};
    all.initialize(xg::random_uniform{.seed = 3, .range = 1});
    std::vector<float> const one{1, 0, 0, 1}, ones(3 * 4 * 2, 1);
    all.assign(rnn.w, xg::array(one.data(), 2, 2));
    all.assign(rnn.u, xg::array(one.data(), 2, 2));
    std::vector<float> const zeros(2, 0);
    all.assign(rnn.b, zeros);
    xg::function f{xg::outputs(rnn, xg::eval(rnn), plain, xg::eval(gru), plain_gru, gru), all};
    auto const [masked, predicted, expected, of_gru, same_gru, other_gru] = f(x<float> = xg::array(ones.data(), 3, 4, 2));
    int dropped = 0;
    for (std::int64_t row = 0; row < 3; ++row)
        for (std::int64_t c = 0; c < 2; ++c) {
            auto const at = [&](std::int64_t t) { return masked[row * 8 + t * 2 + c]; };
            float const in = at(0), turn = in > 0 ? (at(1) - in) / in : 0;
            CHECK((in == 0 || in == 2));
            CHECK((turn == 0 || std::abs(turn - 4.F / 3) < 1e-5F));
            for (std::int64_t t = 1; t < 4; ++t) CHECK(at(t) == doctest::Approx(in + turn * at(t - 1)));
            dropped += in == 0;
        }
    CHECK((dropped > 0 && dropped < 6));
    for (std::int64_t i = 0; i < 24; ++i) CHECK((predicted[i] == expected[i] && of_gru[i] == same_gru[i]));
    CHECK(other_gru[0] != of_gru[0]);
}
TEST_CASE("gradients of second order") {
    constexpr auto layer = nn::rnn<"rnn", 2>(x<double>, nn::lengths(n));
    constexpr auto slope = xg::sum(xg::square(xg::gradient_of(xg::sum(xg::square(layer)), layer.u)));
    xg::variables owner{slope};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    auto const values = numbers<double>(24);
    auto const report =
        xg::check_gradients(slope, xg::wrt(layer.w, layer.u, x<double>), owner, x<double> = xg::array(values.data(), 3, 4, 2), n = lengths);
    CHECK_MESSAGE(report, report.message);
}
TEST_CASE("no time steps, and two layers with the same variables") {
    constexpr auto first = nn::rnn<"rnn", 2>(x<float>, nn::return_sequences);
    constexpr auto again = nn::rnn<"rnn", 2>(first, nn::shared);   // w is [2, 2] in both
    static_assert(std::is_same_v<decltype(again.w), decltype(first.w)> && std::is_same_v<decltype(again.u), decltype(first.u)>);
    xg::variables owner{first};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    xg::function f{xg::outputs(first, again), owner};
    std::vector<float> const none;
    auto const [all, last] = f(x<float> = xg::array(none.data(), 3, 0, 2));
    CHECK(all.shape() == std::array<std::int64_t, 3>{3, 0, 2});
    REQUIRE(last.size() == 6);
    for (std::int64_t i = 0; i < 6; ++i) CHECK(last[i] == 0);
    constexpr auto half = xg::input<"half", xg::float16, batch, steps, 2>;
    static_assert(xg::value_of<decltype(nn::gru<"gru", 4>(half, nn::lengths(n)))>.type == xg::dtype::float32);
}
