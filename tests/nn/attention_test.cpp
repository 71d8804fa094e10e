// SPDX-License-Identifier: MIT
// Layers of attention compared with Keras: names of variables, values, gradients. tests/reference/transformer.py.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
inline constexpr xg::dim keys{"keys"};
constexpr auto x = xg::input<"x", double, batch, length, 6>;
constexpr auto memory = xg::input<"memory", double, batch, keys, 6>;
constexpr auto w = xg::input<"w", double, batch, length, 6>;
constexpr auto seen = xg::input<"seen", bool, batch, 1, length, keys>;

template<class R>
void check_known(std::string const& name, R const& result) {
    static auto const all = test::read_reference("transformer.txt");
    std::vector<double> const& e = all.at(name);
    REQUIRE(static_cast<std::int64_t>(e.size()) == result.size());
    test::check_near(
        name.c_str(), result, [&](std::int64_t i) { return static_cast<long double>(e[static_cast<std::size_t>(i)]); }, 1e-7);
}
/// Gives variables the numbers of their seeds, seed by seed.
template<class Owner, class... V>
void assign(Owner& owner, std::uint64_t seed, V const&... v) {
    auto const one = [&](auto variable) {
        auto const view = owner.value(variable);
        owner.assign(variable, test::numbers<double>({view.shape().begin(), view.shape().end()}, -1, 1, seed++));
    };
    (one(v), ...);
}
template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}
auto const X = test::numbers<double>({2, 5, 6}, -1, 1, 1), M = test::numbers<double>({2, 4, 6}, -1, 1, 2),
           W = test::numbers<double>({2, 5, 6}, -1, 1, 3);
}

TEST_CASE("multi_head_attention: Keras' numbers, with a mask and a width of values") {
    constexpr auto layer = xg::nn::multi_head_attention<"a", 2, 3, xg::nn::multi_head_options{.value_width = 4}>(x, memory, seen);
    static_assert(same(layer.query_kernel, xg::variable<"a/query/kernel", double, 6, 2, 3>));
    static_assert(same(layer.value_bias, xg::variable<"a/value/bias", double, 8>));
    static_assert(same(layer.output_kernel, xg::variable<"a/attention_output/kernel", double, 2, 4, 6>));
    constexpr auto loss = xg::sum(w * layer);
    xg::variables owner{layer};
    assign(owner, 10, layer.query_kernel, layer.query_bias, layer.key_kernel, layer.key_bias, layer.value_kernel, layer.value_bias,
        layer.output_kernel, layer.output_bias);
    auto const chosen = test::numbers<double>({2, 1, 5, 4}, -1, 1, 4);
    test::tensor<bool> mask({2, 1, 5, 4});
    for (std::int64_t i = 0; i < mask.size(); ++i) mask[i] = chosen[i] > -0.4;
    xg::function f{
        xg::outputs(layer, xg::gradient_of(loss, x), xg::gradient_of(loss, memory), xg::gradient_of(loss, layer.query_kernel),
            xg::gradient_of(loss, layer.query_bias), xg::gradient_of(loss, layer.key_kernel), xg::gradient_of(loss, layer.value_kernel),
            xg::gradient_of(loss, layer.value_bias), xg::gradient_of(loss, layer.output_kernel), xg::gradient_of(loss, layer.output_bias)),
        owner};
    auto const [y, gx, gm, gq, gqb, gk, gv, gvb, go, gob] = f(x = X, memory = M, w = W, seen = mask);
    check_known("multi_head", y);
    check_known("multi_head.x", gx);
    check_known("multi_head.memory", gm);
    check_known("multi_head.query/kernel", gq);
    check_known("multi_head.query/bias", gqb);
    check_known("multi_head.key/kernel", gk);
    check_known("multi_head.value/kernel", gv);
    check_known("multi_head.value/bias", gvb);
    check_known("multi_head.attention_output/kernel", go);
    check_known("multi_head.attention_output/bias", gob);
}

TEST_CASE("heads that share keys, without biases, causal: Keras' numbers; the layer with shared variables and without dropouts") {
    constexpr xg::nn::multi_head_options how{.causal = true, .bias = false, .key_heads = 2};
    constexpr xg::nn::multi_head_options drops{.causal = true, .bias = false, .key_heads = 2, .dropout = 0.5};
    constexpr auto layer = xg::nn::multi_head_attention<"g", 4, 3, how>(x);
    constexpr auto of_dropped = xg::nn::multi_head_attention<"g", 4, 3, how>(xg::dropout<"d">(x, 0.5_c), x, x, xg::nn::shared);
    constexpr auto as_it_predicts = xg::eval(xg::nn::multi_head_attention<"h", 4, 3, drops>(xg::dropout<"e">(x, 0.5_c), x));
    static_assert(same(of_dropped.key_kernel, layer.key_kernel));
    constexpr auto loss = xg::sum(w * layer);
    xg::variables owner{layer, of_dropped, as_it_predicts};
    assign(owner, 20, layer.query_kernel);
    assign(owner, 22, layer.key_kernel);
    assign(owner, 24, layer.value_kernel);
    assign(owner, 26, layer.output_kernel);
    constexpr auto other = xg::nn::multi_head_attention<"h", 4, 3, how>(x, x, xg::nn::shared);
    assign(owner, 20, other.query_kernel);
    assign(owner, 22, other.key_kernel);
    assign(owner, 24, other.value_kernel);
    assign(owner, 26, other.output_kernel);
    xg::function f{
        xg::outputs(layer, xg::eval(of_dropped), as_it_predicts, xg::gradient_of(loss, layer.query_kernel),
            xg::gradient_of(loss, layer.key_kernel), xg::gradient_of(loss, layer.value_kernel), xg::gradient_of(loss, layer.output_kernel)),
        owner};
    auto const [y, again, predicted, gq, gk, gv, go] = f(x = X, w = W);
    check_known("grouped", y);
    check_known("grouped", again);
    check_known("grouped", predicted);
    check_known("grouped.query/kernel", gq);
    check_known("grouped.key/kernel", gk);
    check_known("grouped.value/kernel", gv);
    check_known("grouped.attention_output/kernel", go);
}

TEST_CASE("learned positions, and a layer with rotary embeddings in float") {
    constexpr auto z = xg::input<"z", float, batch, length, 8>;
    constexpr auto positions = xg::nn::position_embedding<"positions", 7>(z);
    static_assert(same(positions.table, xg::variable<"positions/table", float, 7, 8>));
    constexpr auto y = xg::nn::multi_head_attention<"a", 2, 4, xg::nn::multi_head_options{.rotary = true}>(z + positions);
    xg::variables owner{y};
    owner.initialize(xg::glorot_uniform{.seed = 3});
    CHECK(owner.value(y.query_bias)[0] == 0);   // Keras' defaults
    CHECK(owner.value(y.query_kernel)[0] != 0);
    auto const Z = test::numbers<float>({2, 5, 8});
    auto const r = xg::check_gradients(xg::sum(xg::square(y)), xg::wrt(z, positions.table, y.key_kernel), owner, z = Z);
    CHECK_MESSAGE(r.ok, r.message);
    xg::function f{z + positions, owner};
    CHECK_THROWS_AS(f(z = test::numbers<float>({2, 8, 8})), xg::shape_error);
    CHECK_THROWS_WITH(f(z = test::numbers<float>({2, 8, 8})),
        "xgrad: the dimension \"length\" = 8 is too large: axis 0 of the variable \"positions/table\" has extent 7, and a slice of it, such as "
        "nn::position_embedding, would end after it");
}
