// SPDX-License-Identifier: MIT
// LSTM of images: outputs and gradients of Keras, start values, states, a loop written out.
#include <ops/from_tensorflow.hpp>

#include <xgrad/nn/conv_lstm.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
namespace nn = xgrad::nn;
using namespace xg::literals;
using from_tensorflow::compare;
using from_tensorflow::known;
using xg::per_axis;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
constexpr auto x = xg::input<"x", double, batch, steps, 5, 4, 2>;
constexpr xg::window same{.padding = xg::window_padding::same};

template<class Y>
constexpr auto total(Y y) {
    constexpr xg::extent n = xg::value_of<Y>.dims.size();
    return xg::sum(xg::detail::reshaped_to<xg::shape{1, {n}}>(y) * xg::cos(xg::cast<double>(xg::detail::positions_along<n>{})));
}
template<class Layer>
void check(std::string const& name, Layer layer, std::vector<std::int64_t> const& size) {
    xg::variables owner{layer};
    std::string const key = "conv_lstm." + name;
    auto const w = known<double>(key + ".w", {size[0], size[1], 2, 12}), u = known<double>(key + ".u", {size[0], size[1], 3, 12});
    owner.assign(layer.w, w);
    owner.assign(layer.u, u);
    owner.assign(layer.b, known<double>(key + ".b", {12}));
    constexpr auto loss = total(Layer{});
    xg::function f{xg::outputs(layer, xg::gradient_of(loss, x), xg::gradient_of(loss, Layer::w), xg::gradient_of(loss, Layer::u),
                       xg::gradient_of(loss, Layer::b)),
        owner};
    from_tensorflow::compare_all(
        {key, key + ".x", key + ".dw", key + ".du", key + ".db"}, f(x = known<double>("conv_lstm.x", {2, 3, 5, 4, 2})), 1e-9);
}
}

TEST_CASE("the last state and all states are Keras'") {
    check("last", nn::conv_lstm2d<"lstm", 3, per_axis{3, 2}, same>(x), {3, 2});
    check("all", nn::conv_lstm2d<"lstm", 3, 3>(x, nn::return_sequences), {3, 3});
    check("strides",
        nn::conv_lstm2d<"lstm", 3, per_axis{2, 3}, xg::window{.strides = 2, .padding = xg::window_padding::same}>(x, nn::return_sequences),
        {2, 3});
}

TEST_CASE("start values, states, shared variables, second derivatives") {
    constexpr auto layer = nn::conv_lstm2d<"lstm", 2, 2, same>(x);
    constexpr auto again = nn::conv_lstm2d<"lstm", 2, 2, same>(-x, nn::shared, nn::return_sequences);
    constexpr auto inner = total(layer) + 0.5_c * total(again) + xg::sum(std::get<1>(layer.state()));
    auto train =
        xg::minimize(xg::outputs(xg::square(inner), layer, std::get<0>(layer.state())), xg::gradient_descent{.learning_rate = 0.001});
    for (std::int64_t i = 0; i < 8; ++i) CHECK(train.value(layer.b)[i] == (i / 2 == 1 ? 1 : 0));
    train.initialize(xg::glorot_uniform{.seed = 1});
    auto const u = train.value(layer.u);
    for (std::int64_t i = 0; i < 8; ++i)
        for (std::int64_t j = 0; j < 8; ++j) {
            double dot = 0;
            for (std::int64_t k = 0; k < 8; ++k) dot += u[i * 8 + k] * u[j * 8 + k];
            CHECK(std::abs(dot - (i == j)) < 1e-12);
        }
    auto const X = test::numbers<double>({1, 2, 5, 4, 2});
    auto const [first, last, state] = train(x = X);
    for (std::int64_t i = 0; i < last.size(); ++i) CHECK(last[i] == state[i]);
    CHECK(std::get<0>(train(x = X)) < first);
    constexpr auto of_input = inner + xg::sum(xg::square(xg::gradient_of(inner, x)));
    auto const r = xg::check_gradients(of_input, xg::wrt(layer.u, x), {.tolerance = 1e-5}, train, x = X);
    CHECK_MESSAGE(r.ok, r.message);
}
