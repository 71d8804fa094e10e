// SPDX-License-Identifier: MIT
// A chain of layers is what its layers written out are; its table; the warning of a network that begins with zeros, whatever gamma is.
#include <xgrad/nn/sequential.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto net = xg::nn::sequential<"net">(xg::nn::layer::dense<8, xg::op::tanh>{}, xg::nn::layer::batch_norm<>{},
    xg::nn::layer::activation<xg::op::relu>{}, xg::nn::layer::dropout<25>{}, xg::nn::layer::layer_norm<>{},
    [](auto h) { return xg::nn::dense<"out", 1>(h) * xg::variable<"net/dense0/b", float, 8>; });
constexpr auto table = xg::variable<"table", float, features, 2>;
std::string said;
}

TEST_CASE("a chain and its layers written out") {
    constexpr auto y = net(x);
    constexpr auto h0 = xg::tanh(xg::nn::dense<"net/dense0", 8>(x));
    constexpr auto h1 = xg::relu(xg::nn::batch_norm<"net/batch_norm1">(h0));
    constexpr auto h4 = xg::nn::layer_norm<"net/layer_norm4">(h1);
    constexpr auto written = xg::nn::dense<"out", 1>(h4) * xg::variable<"net/dense0/b", float, 8>;
    constexpr auto loss = xg::mean(xg::square(y - 1_c));
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}, xg::nn::updates(loss));
    std::vector<float> const in{1, 2, 3, 4, -1, 0.5f, 2, 0, 3, -2, 1, 1};

    auto* const before = xg::warning_handler;
    xg::warning_handler = [](char const* message) { said += message; };
    train(x = xg::array(in, 3, 4));
    xg::warning_handler = before;
#if XGRAD_CHECKS
    CHECK(said.find("initialize(") != std::string::npos);
#endif
    train.initialize(xg::glorot_uniform{.seed = 2});
    float const first = train(x = xg::array(in, 3, 4));
    for (int k = 0; k < 20; ++k) train(x = xg::array(in, 3, 4));
    CHECK(train(x = xg::array(in, 3, 4)) < first);
    xg::function f{xg::outputs(xg::eval(y), xg::eval(written)), train};
    auto const [a, b] = f(x = xg::array(in, 3, 4));
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a[i] == b[i]);
}

TEST_CASE("the table of a chain is made by the compiler") {
    static_assert(xg::nn::summary(net, x) == "layer            output shape  parameters\n"
                                             "input            [batch, 4]             0\n"
                                             "net/dense0       [batch, 8]            40\n"
                                             "net/batch_norm1  [batch, 8]            32\n"
                                             "net/activation2  [batch, 8]             0\n"
                                             "net/dropout3     [batch, 8]             0\n"
                                             "net/layer_norm4  [batch, 8]            16\n"
                                             "function         [batch, 8]             9\n"
                                             "total: 97 parameters, trainable 81, not trainable 16\n");
    constexpr auto rows = xg::nn::sequential<"n">([](auto) { return table; });
    static_assert(xg::nn::summary(rows, x) == "layer     output shape   parameters\n"
                                              "input     [batch, 4]              0\n"
                                              "function  [features, 2]  2*features\n"
                                              "total: 2*features parameters, trainable 2*features, not trainable 0\n");
    CHECK(xg::nn::summary(net, x).data()[xg::nn::summary(net, x).size()] == '\0');
}
