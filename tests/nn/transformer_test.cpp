// SPDX-License-Identifier: MIT
// Blocks of transformers compared with PyTorch's layers: values and gradients. tests/reference/transformer.py.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/nn/transformer.hpp>
#include <xgrad/ops/flip.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
inline constexpr xg::dim keys{"keys"};
constexpr auto x = xg::input<"x", double, batch, length, 6>;
constexpr auto memory = xg::input<"memory", double, batch, keys, 6>;
constexpr auto w = xg::input<"w", double, batch, length, 6>;
constexpr auto lengths = xg::input<"lengths", std::int32_t, batch>;
using options = xg::nn::transformer_options;

template<class R>
void check_known(std::string const& name, R const& result) {
    static auto const all = test::read_reference("transformer.txt");
    std::vector<double> const& e = all.at(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == result.size());
    test::check_near(
        name.c_str(), result, [&](std::int64_t i) { return static_cast<long double>(e[static_cast<std::size_t>(i)]); }, 1e-7);
}
template<class Owner>
void assign_attention(Owner& owner, auto const& a, std::uint64_t seed) {
    owner.assign(a.query_kernel, test::numbers<double>({6, 2, 3}, -1, 1, seed));
    owner.assign(a.query_bias, test::numbers<double>({6}, -1, 1, seed + 1));
    owner.assign(a.key_kernel, test::numbers<double>({6, 2, 3}, -1, 1, seed + 2));
    owner.assign(a.key_bias, test::numbers<double>({6}, -1, 1, seed + 3));
    owner.assign(a.value_kernel, test::numbers<double>({6, 2, 3}, -1, 1, seed + 4));
    owner.assign(a.value_bias, test::numbers<double>({6}, -1, 1, seed + 5));
    owner.assign(a.output_kernel, test::numbers<double>({2, 3, 6}, -1, 1, seed + 6));
    owner.assign(a.output_bias, test::numbers<double>({6}, -1, 1, seed + 7));
}
template<xg::fixed_string Name, class Owner>
void assign_norm(Owner& owner, std::uint64_t seed) {
    auto gamma = test::numbers<double>({6}, -1, 1, seed);
    for (std::int64_t i = 0; i < 6; ++i) gamma[i] = 1 + gamma[i] / 4;
    owner.assign(xg::variable<xg::join_names<Name, "norm/gamma">(), double, 6>, gamma);
    owner.assign(xg::variable<xg::join_names<Name, "norm/beta">(), double, 6>, test::numbers<double>({6}, -1, 1, seed + 1));
}
constexpr auto inner = xg::variable<"b/feedforward_intermediate/w", double, 6, 8>;
template<class Owner>
void assign_feedforward(Owner& owner) {
    owner.assign(inner, test::numbers<double>({6, 8}, -1, 1, 50));
    owner.assign(xg::variable<"b/feedforward_intermediate/b", double, 8>, test::numbers<double>({8}, -1, 1, 51));
    owner.assign(xg::variable<"b/feedforward_output/w", double, 8, 6>, test::numbers<double>({8, 6}, -1, 1, 52));
    owner.assign(xg::variable<"b/feedforward_output/b", double, 6>, test::numbers<double>({6}, -1, 1, 53));
}
auto const X = test::numbers<double>({2, 5, 6}, -1, 1, 1), M = test::numbers<double>({2, 4, 6}, -1, 1, 2),
           W = test::numbers<double>({2, 5, 6}, -1, 1, 3);

template<options How>
void check_encoder(std::string const& name) {
    constexpr auto y = xg::nn::transformer_encoder_block<"b", 2, 8, How>(x, lengths);
    constexpr auto loss = xg::sum(w * y);
    xg::variables owner{y};
    assign_attention(owner, xg::nn::multi_head_attention<"b/self_attention", 2, 3>(x), 30);
    assign_feedforward(owner);
    assign_norm<"b/self_attention">(owner, 60);
    assign_norm<"b/feedforward">(owner, 62);
    xg::function f{xg::outputs(y, xg::gradient_of(loss, x), xg::gradient_of(loss, inner)), owner};
    auto const [a, gx, gw] = f(x = X, w = W, lengths = test::list<std::int32_t>({5, 3}));
    check_known(name, a);
    check_known(name + ".x", gx);
    check_known(name + ".w", gw);
}
template<options How>
void check_decoder(std::string const& name) {
    constexpr auto y = xg::nn::transformer_decoder_block<"b", 2, 8, How>(x, memory);
    constexpr auto loss = xg::sum(w * y);
    xg::variables owner{y};
    assign_attention(owner, xg::nn::multi_head_attention<"b/self_attention", 2, 3>(x), 30);
    assign_attention(owner, xg::nn::multi_head_attention<"b/cross_attention", 2, 3>(x, memory), 40);
    assign_feedforward(owner);
    assign_norm<"b/self_attention">(owner, 60);
    assign_norm<"b/cross_attention">(owner, 62);
    assign_norm<"b/feedforward">(owner, 64);
    xg::function f{xg::outputs(y, xg::gradient_of(loss, x), xg::gradient_of(loss, memory), xg::gradient_of(loss, inner)), owner};
    auto const [a, gx, gm, gw] = f(x = X, memory = M, w = W);
    check_known(name, a);
    check_known(name + ".x", gx);
    check_known(name + ".memory", gm);
    check_known(name + ".w", gw);
}
}

TEST_CASE("an encoder block is PyTorch's, with the norms last") { check_encoder<options{}>("encoder_relu"); }

TEST_CASE("a decoder block is PyTorch's, with the norms first") {
    check_decoder<options{.norm_first = true, .activation = xg::nn::feedforward::gelu}>("decoder_gelu");
}

TEST_CASE("a small language model learns: a decoder block without memory, with dropout, that predicts without it") {
    constexpr auto z = xg::input<"z", float, batch, length, 8>;
    constexpr auto y = xg::nn::transformer_decoder_block<"b", 2, 16,
        options{.norm_first = true, .rotary = true, .dropout = 0.1, .attention_dropout = 0.1}>(z);
    constexpr auto loss = xg::mean(xg::square(y - xg::flip<2>(z)));
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.01});
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function predict{xg::eval(loss), train};
    auto const Z = test::numbers<float>({4, 5, 8});
    float const before = predict(z = Z);
    for (int i = 0; i < 100; ++i) train(z = Z);
    CHECK(predict(z = Z) < 0.5f * before);
    CHECK(predict(z = Z) == predict(z = Z));
}
