// SPDX-License-Identifier: MIT
// Layers of normalization: start values, moving averages of Keras and PyTorch in training and for inference, shared variables, refusals of
// double updates; spectral_norm, prelu, bilinear, highway and layer_scale.
#include <ops/normalization.hpp>

#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/gates.hpp>
#include <xgrad/nn/spectral_norm.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::check_close, test::from_table;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 2, 2, 4>;
constexpr auto layer = xg::nn::batch_norm<"bn">(x);
constexpr auto of_torch = xg::nn::batch_norm<"torch", xg::nn::affine::both, xg::nn::moving_variance::of_sample>(x, 0.9_c, 1e-5_c);

template<class A, class B>
constexpr bool same(A, B) {
    return std::is_same_v<A, B>;
}
}

TEST_CASE("moving averages of Keras and PyTorch are set in the step and read for inference") {
    auto const table = test::read_reference("normalization.txt"), torch = test::read_reference("normalization_torch.txt");
    auto const a = from_table<double>(table.at("x"), {3, 2, 2, 4}), b = from_table<double>(table.at("next"), {3, 2, 2, 4});
    constexpr auto loss = xg::sum(xg::square(layer)) + xg::sum(xg::square(of_torch));
    auto train = xg::minimize(xg::outputs(loss, layer), xg::gradient_descent{.learning_rate = 0}, xg::nn::updates(loss));
    CHECK(train.value(layer.gamma)[1] == 1);   // also without initialize
    CHECK(train.value(layer.moving_variance)[3] == 1);
    train.value(layer.gamma)[1] = 5;
    train.initialize(xg::random_uniform{.seed = 1, .range = 3});
    CHECK(train.value(layer.gamma)[1] == 1);
    CHECK(train.value(layer.beta)[1] == 0);
    train.assign(layer.gamma, from_table<double>(table.at("scale"), {4}));
    train.assign(layer.beta, from_table<double>(table.at("offset"), {4}));
    train.assign(of_torch.gamma, from_table<double>(table.at("scale"), {4}));
    train.assign(of_torch.beta, from_table<double>(table.at("offset"), {4}));
    check_close("in training", std::get<1>(train(x = a)), table.at("batch"), 1e-12);
    train(x = b);
    train(x = xg::array(a.data(), 0, 2, 2, 4));   // an empty batch moves nothing
    check_close("mean", train.value(layer.moving_mean), table.at("keras.moving_mean"), 1e-12);
    check_close("variance", train.value(layer.moving_variance), table.at("keras.moving_variance"), 1e-12);
    check_close("mean", train.value(of_torch.moving_mean), torch.at("moving_mean"), 1e-12);
    check_close("variance", train.value(of_torch.moving_variance), torch.at("moving_variance"), 1e-12);
    xg::function predict{xg::outputs(xg::eval(layer), xg::eval(of_torch)), train};
    auto const [y, z] = predict(x = a);
    check_close("evaluated", y, table.at("keras.evaluated"), 1e-12);
    check_close("evaluated", z, torch.at("evaluated"), 1e-12);
    xg::function again{layer, train};   // without eval: by the batch, and nothing moves
    check_close("again", again(x = a), table.at("batch"), 1e-12);
    check_close("mean", train.value(layer.moving_mean), table.at("keras.moving_mean"), 1e-12);
}

TEST_CASE("layers of one name share their variables where they say so; parts, and apply_gradients") {
    constexpr auto in = xg::input<"in", float, batch, 4>;
    constexpr auto rate = xg::input<"rate", float>;
    constexpr auto first = xg::nn::batch_norm<"bn", xg::nn::affine::scale>(in, rate);
    constexpr auto second = xg::nn::batch_norm<"bn", xg::nn::affine::scale>(xg::tanh(in), xg::nn::shared, rate);
    constexpr auto third = xg::nn::layer_norm<"ln", xg::nn::affine::offset>(xg::nn::rms_norm<"rms">(first));
    constexpr auto fourth = xg::nn::layer_norm<"ln", xg::nn::affine::none>(xg::dropout<"drop">(second, 0.5_c), xg::nn::shared, 1e-5_c);
    static_assert(same(first.gamma, second.gamma) && same(first.moving_mean, second.moving_mean));
    constexpr auto fifth = xg::nn::batch_norm<"bn", xg::nn::affine::scale>(xg::square(in), xg::nn::shared, rate);
    constexpr auto loss = xg::mean(xg::square(third)) + xg::mean(xg::square(fourth)) + xg::mean(xg::square(fifth));
    constexpr auto slope = xg::gradient_of(loss, first.gamma);
    auto train =
        xg::apply_gradients(xg::gradient_descent{.learning_rate = 0.5}, loss, xg::with_variable(slope, first.gamma), xg::nn::updates(loss));
    auto const a = test::numbers<float>({6, 4}, -2, 2, 5);
    train(in = a, rate = 0.25f);
    double moving_mean = 0, moving_variance = 1;
    auto const move = [&](auto f) {
        double mean = 0, variance = 0;
        for (std::int64_t i = 0; i < 6; ++i) mean += f(a[4 * i + 2]) / 6;
        for (std::int64_t i = 0; i < 6; ++i) variance += (f(a[4 * i + 2]) - mean) * (f(a[4 * i + 2]) - mean) / 6;
        moving_mean = 0.25 * moving_mean + 0.75 * mean;
        moving_variance = 0.25 * moving_variance + 0.75 * variance;
    };
    move([](double v) { return v; });   // by one call after the other
    move([](double v) { return std::tanh(v); });
    move([](double v) { return v * v; });
    CHECK(train.value(first.moving_mean)[2] == doctest::Approx(moving_mean));
    CHECK(train.value(first.moving_variance)[2] == doctest::Approx(moving_variance));
    CHECK(train.value(first.gamma)[2] != 1);
    xg::function predict{xg::eval(second), train};
    auto const y = predict(in = a);
    CHECK(y(1, 2) == doctest::Approx((std::tanh(a[6]) - moving_mean) / std::sqrt(moving_variance + 1e-3) * train.value(first.gamma)[2]));
    auto stays = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.5}, train, xg::nn::no_updates(loss));
    stays(in = a, rate = 0.25f);
    auto same = xg::minimize(loss, xg::same_optimizer(stays), xg::nn::no_updates(loss));
    same(in = a, rate = 0.25f);
    CHECK(stays.global_step() == 2);
    CHECK(train.value(first.moving_mean)[2] == doctest::Approx(moving_mean));
}

struct reads_layer : xg::region {
    static constexpr auto value(auto h) { return h * layer; }
};
TEST_CASE("a body that reads a layer outside of it leaves its moving averages outside") {
    constexpr auto loss = xg::sum(xg::call<reads_layer>(x));
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0}, xg::nn::updates(loss));
    std::vector<double> const a{0, 0, 0, 4, 0, 0, 0, 12, 0, 0, 0, 4, 0, 0, 0, 12};
    train(x = xg::array(a, 1, 2, 2, 4));
    CHECK(train.value(layer.moving_mean)[3] == doctest::Approx(0.01 * 8));
    CHECK(train.value(layer.moving_variance)[3] == doctest::Approx(0.99 + 0.01 * 16));
}

TEST_CASE("spectral_norm keeps its vector, and group and instance normalization have their variables") {
    auto const table = test::read_reference("normalization.txt");
    constexpr auto kernel = xg::variable<"kernel", double, 2, 3, 4>;
    constexpr auto normalized = xg::nn::spectral_norm<"sn">(kernel);
    constexpr auto grouped = xg::nn::instance_norm<"in">(xg::nn::group_norm<"gn", 2>(x));
    constexpr auto loss = xg::sum(xg::square(grouped)) + xg::sum(normalized);
    auto train = xg::minimize(xg::outputs(loss, normalized, grouped), xg::gradient_descent{.learning_rate = 0}, xg::nn::updates(loss));
    train.assign(kernel, from_table<double>(table.at("kernel"), {2, 3, 4}));
    auto const a = from_table<double>(table.at("x"), {3, 2, 2, 4});
    auto const r = train(x = a);
    check_close("normalized", std::get<1>(r), table.at("spectral"), 1e-6);
    check_close("u", train.value(normalized.u), table.at("spectral.u"), 1e-6);
    for (int k = 0; k < 40; ++k) train(x = a);
    xg::function largest{xg::eval(normalized), train};
    auto const w = largest();
    double square = 0;   // wᵀ w u = u: the largest singular value is 1
    auto const u = train.value(normalized.u);
    for (std::int64_t i = 0; i < 6; ++i) {
        double sum = 0;
        for (std::int64_t j = 0; j < 4; ++j) sum += w[4 * i + j] * u[j];
        square += sum * sum;
    }
    CHECK(square == doctest::Approx(1));
    double mean = 0;
    for (std::int64_t i = 0; i < 4; ++i) mean += std::get<2>(r)[4 * i];
    CHECK(std::abs(mean) < 1e-12);
}

TEST_CASE("prelu and bilinear of PyTorch, highway and layer_scale as they are written out") {
    auto const table = test::read_reference("normalization.txt"), torch = test::read_reference("normalization_torch.txt");
    constexpr auto a = xg::input<"a", double, batch, 2>;
    constexpr auto b = xg::input<"b", double, batch, 4>;
    constexpr auto w = xg::input<"w", double, batch, 3>;
    constexpr auto v = xg::input<"v", double, batch, 2, 2, 4>;
    constexpr auto bent = xg::nn::prelu<"p">(x);
    constexpr auto joined = xg::nn::bilinear<"bi", 3>(a, b);
    constexpr auto scaled = xg::nn::layer_scale<"ls">(x);
    constexpr auto passed = xg::nn::highway<"hw", xg::op::tanh>(a);
    constexpr auto t = xg::sigmoid(xg::matmul(a, passed.gate) + passed.gate_b);
    constexpr auto written = t * xg::tanh(xg::matmul(a, passed.w) + passed.b) + (1_c - t) * a;
    xg::variables owner{bent, joined, scaled, passed};
    owner.initialize(xg::glorot_uniform{.seed = 4});
    CHECK(owner.value(passed.gate_b)[1] == -1);
    CHECK(owner.value(bent.alpha)[2] == 0);
    CHECK(owner.value(scaled.gamma)[0] == 1e-5f);
    owner.assign(bent.alpha, from_table<double>(table.at("scale"), {4}));
    owner.assign(joined.w, from_table<double>(table.at("kernel"), {2, 3, 4}));
    constexpr auto of_bent = xg::gradients(bent, xg::grad_ys(v), x, bent.alpha);
    constexpr auto of_joined = xg::gradients(joined, xg::grad_ys(w), a, b, joined.w);
    xg::function f{xg::outputs(bent, std::get<0>(of_bent), std::get<1>(of_bent), joined, std::get<0>(of_joined), std::get<1>(of_joined),
                       std::get<2>(of_joined), scaled, passed, written),
        owner};
    auto const& numbers = table.at("x");
    auto const images = from_table<double>(numbers, {3, 2, 2, 4});
    auto const r = f(x = images, v = from_table<double>(table.at("w"), {3, 2, 2, 4}), a = xg::array(numbers.data(), 3, 2),
        b = xg::array(numbers.data() + 6, 3, 4), w = xg::array(table.at("w").data(), 3, 3));
    check_close("prelu", std::get<0>(r), torch.at("prelu"));
    check_close("prelu.x", std::get<1>(r), torch.at("prelu.x"));
    check_close("prelu.scale", std::get<2>(r), torch.at("prelu.scale"));
    check_close("bilinear", std::get<3>(r), torch.at("bilinear"));
    check_close("bilinear.a", std::get<4>(r), torch.at("bilinear.a"));
    check_close("bilinear.b", std::get<5>(r), torch.at("bilinear.b"));
    check_close("bilinear.w", std::get<6>(r), torch.at("bilinear.w"));
    CHECK(std::get<7>(r)[5] == doctest::Approx(1e-5 * images[5]));
    for (std::int64_t i = 0; i < 6; ++i) CHECK(std::get<8>(r)[i] == doctest::Approx(std::get<9>(r)[i]));
}
