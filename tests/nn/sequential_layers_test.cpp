// SPDX-License-Identifier: MIT
// Chains with layers of images, sequences, norms and noise: two nets are what their layers written out are; the tables of all layers.
#include <xgrad/nn/sequential/images.hpp>
#include <xgrad/nn/sequential/norms.hpp>
#include <xgrad/nn/sequential/sequences.hpp>
#include <xgrad/nn/sequential/transformer.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {
namespace xg = xgrad;
namespace layer = xg::nn::layer;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto image = xg::input<"image", float, batch, 8, 8, 2>;
constexpr auto words = xg::input<"words", std::int32_t, batch, 5>;
constexpr xg::window same{.padding = xg::window_padding::same};
constexpr auto vgg = xg::nn::sequential<"vgg">(layer::conv2d<4, 3, same, xg::op::relu>{}, layer::max_pool2d<2>{},
    layer::residual<layer::conv2d<4, 3, same, xg::op::relu>, layer::conv2d<4, 3, same>>{},
    layer::residual_with<layer::conv2d<6, 1>, layer::depthwise_conv2d<1, 3, same>, layer::conv2d<6, 1>>{},
    layer::group<layer::average_pool2d<2>, layer::group_norm<2>>{}, layer::flatten{}, layer::dense<3>{});
constexpr auto text = xg::nn::sequential<"text">(layer::embedding<20, 6>{}, layer::lstm<4, layer::returns::sequences>{},
    layer::rnn<4, layer::returns::sequences>{}, layer::gru<3>{}, layer::dense<2, xg::op::tanh>{});

template<class A, class B>
void check_same(A const& a, B const& b) {
    REQUIRE(a.size() == b.size());
    double sum = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-5));
        sum += std::abs(static_cast<double>(a[i]));
    }
    CHECK(sum > 0.01);
}
}

TEST_CASE("a small convolutional chain and its layers written out") {
    constexpr auto y = vgg(image);
    constexpr auto h1 = xg::max_pool2d<2>(xg::relu(xg::nn::conv2d<"vgg/conv2d0", 4, 3, same>(image)));
    constexpr auto h2 =
        h1 + xg::nn::conv2d<"vgg/residual2/conv2d1", 4, 3, same>(xg::relu(xg::nn::conv2d<"vgg/residual2/conv2d0", 4, 3, same>(h1)));
    constexpr auto h3 =
        xg::nn::conv2d<"vgg/residual3/shortcut/conv2d0", 6, 1>(h2) +
        xg::nn::conv2d<"vgg/residual3/conv2d1", 6, 1>(xg::nn::depthwise_conv2d<"vgg/residual3/depthwise_conv2d0", 1, 3, same>(h2));
    constexpr auto h4 = xg::nn::group_norm<"vgg/group4/group_norm1", 2>(xg::average_pool2d<2>(h3));
    constexpr auto written = xg::nn::dense<"vgg/dense6", 3>(xg::reshape<batch, 24>(h4));
    xg::variables owner{y};
    owner.initialize(xg::glorot_uniform{.seed = 3});
    std::vector<float> in(3 * 128);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
    xg::function chain{y, owner};
    xg::function other{written, owner};
    check_same(chain(image = xg::array(in, 3, 8, 8, 2)), other(image = xg::array(in, 3, 8, 8, 2)));
}

TEST_CASE("a recurrent chain and its layers written out") {
    constexpr auto y = text(words);
    constexpr auto h1 = xg::nn::lstm<"text/lstm1", 4>(xg::nn::embedding<"text/embedding0", 20, 6>(words), xg::nn::return_sequences);
    constexpr auto h3 = xg::nn::gru<"text/gru3", 3>(xg::nn::rnn<"text/rnn2", 4>(h1, xg::nn::return_sequences));
    constexpr auto written = xg::tanh(xg::nn::dense<"text/dense4", 2>(h3));
    xg::variables owner{y};
    owner.initialize(xg::random_uniform{.seed = 3, .range = 1});
    std::vector<std::int32_t> const in{1, 2, 3, 4, 5, 19, 18, 0, 7, 7};
    xg::function chain{y, owner};
    xg::function other{written, owner};
    check_same(chain(words = xg::array(in, 2, 5)), other(words = xg::array(in, 2, 5)));
}

TEST_CASE("tables of chains") {
    static_assert(xg::nn::summary(vgg, image) == "layer            output shape      parameters\n"
                                                 "input            [batch, 8, 8, 2]           0\n"
                                                 "vgg/conv2d0      [batch, 8, 8, 4]          76\n"
                                                 "vgg/max_pool2d1  [batch, 4, 4, 4]           0\n"
                                                 "vgg/residual2    [batch, 4, 4, 4]         296\n"
                                                 "vgg/residual3    [batch, 4, 4, 6]         100\n"
                                                 "vgg/group4       [batch, 2, 2, 6]          12\n"
                                                 "vgg/flatten5     [batch, 24]                0\n"
                                                 "vgg/dense6       [batch, 3]                75\n"
                                                 "total: 559 parameters, trainable 559, not trainable 0\n");
    static_assert(xg::nn::summary(text, words) == "layer            output shape   parameters\n"
                                                  "input            [batch, 5]              0\n"
                                                  "text/embedding0  [batch, 5, 6]         120\n"
                                                  "text/lstm1       [batch, 5, 4]         176\n"
                                                  "text/rnn2        [batch, 5, 4]          36\n"
                                                  "text/gru3        [batch, 3]             81\n"
                                                  "text/dense4      [batch, 2]              8\n"
                                                  "total: 421 parameters, trainable 421, not trainable 0\n");
    constexpr auto images = xg::nn::sequential<"i">(layer::separable_conv2d<5, 3>{}, layer::conv2d_transpose<2, 3>{}, layer::prelu{},
        layer::spatial_dropout<10>{}, layer::batch_norm<>{}, layer::instance_norm<>{}, layer::reshape<64, 2>{}, layer::conv1d<4, 3>{},
        layer::depthwise_conv1d<2, 3>{}, layer::conv1d_transpose<2, 2>{}, layer::max_pool1d<2>{}, layer::average_pool1d<2>{},
        layer::reshape<3, 5, 1, 2>{}, layer::conv3d<3, xg::per_axis{1, 2, 1}>{}, layer::conv3d_transpose<3, 2>{}, layer::max_pool3d<1>{},
        layer::average_pool3d<2>{}, layer::global_max_pool{});
    static_assert(xg::nn::summary(images, image) == "layer                 output shape         parameters\n"
                                                    "input                 [batch, 8, 8, 2]              0\n"
                                                    "i/separable_conv2d0   [batch, 6, 6, 5]             33\n"
                                                    "i/conv2d_transpose1   [batch, 8, 8, 2]             92\n"
                                                    "i/prelu2              [batch, 8, 8, 2]              2\n"
                                                    "i/spatial_dropout3    [batch, 8, 8, 2]              0\n"
                                                    "i/batch_norm4         [batch, 8, 8, 2]              8\n"
                                                    "i/instance_norm5      [batch, 8, 8, 2]              4\n"
                                                    "i/reshape6            [batch, 64, 2]                0\n"
                                                    "i/conv1d7             [batch, 62, 4]               28\n"
                                                    "i/depthwise_conv1d8   [batch, 60, 8]               32\n"
                                                    "i/conv1d_transpose9   [batch, 61, 2]               34\n"
                                                    "i/max_pool1d10        [batch, 30, 2]                0\n"
                                                    "i/average_pool1d11    [batch, 15, 2]                0\n"
                                                    "i/reshape12           [batch, 3, 5, 1, 2]           0\n"
                                                    "i/conv3d13            [batch, 3, 4, 1, 3]          15\n"
                                                    "i/conv3d_transpose14  [batch, 4, 5, 2, 3]          75\n"
                                                    "i/max_pool3d15        [batch, 4, 5, 2, 3]           0\n"
                                                    "i/average_pool3d16    [batch, 2, 2, 1, 3]           0\n"
                                                    "i/global_max_pool17   [batch, 3]                    0\n"
                                                    "total: 323 parameters, trainable 319, not trainable 4\n");
    constexpr auto sequences = xg::nn::sequential<"s">(layer::dense<4, xg::op::gelu>{}, layer::position_embedding<9>{},
        layer::transformer_encoder_block<2, 8>{}, layer::transformer_decoder_block<2, 8>{}, layer::rms_norm<>{}, layer::highway<>{},
        layer::layer_scale{}, layer::gaussian_noise<5>{}, layer::gaussian_dropout<5>{}, layer::alpha_dropout<5>{});
    static_assert(xg::nn::summary(sequences, xg::input<"rows", float, batch, 7, 3>) ==
                  "layer                         output shape   parameters\n"
                  "input                         [batch, 7, 3]           0\n"
                  "s/dense0                      [batch, 7, 4]          16\n"
                  "s/position_embedding1         [batch, 7, 4]          36\n"
                  "s/transformer_encoder_block2  [batch, 7, 4]         172\n"
                  "s/transformer_decoder_block3  [batch, 7, 4]         172\n"
                  "s/rms_norm4                   [batch, 7, 4]           4\n"
                  "s/highway5                    [batch, 7, 4]          40\n"
                  "s/layer_scale6                [batch, 7, 4]           4\n"
                  "s/gaussian_noise7             [batch, 7, 4]           0\n"
                  "s/gaussian_dropout8           [batch, 7, 4]           0\n"
                  "s/alpha_dropout9              [batch, 7, 4]           0\n"
                  "total: 444 parameters, trainable 444, not trainable 0\n");
}
