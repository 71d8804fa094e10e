// SPDX-License-Identifier: MIT
// Made by networks.py from the numbers of its cases.
#include <support/networks.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/convolution.hpp>
#include <xgrad/nn/embedding.hpp>
#include <xgrad/nn/gates.hpp>
#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/nn/norms.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/nn/residual.hpp>
#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/eval.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/ops/index/bags.hpp>
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/margins.hpp>
#include <xgrad/ops/losses/weighted_loss.hpp>
#include <xgrad/ops/pooling/average_pool.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>
#include <xgrad/ops/shapes/axes.hpp>
#include <xgrad/train/layer_updates.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;
}

namespace n4000001 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5, 5>;
constexpr auto n1 = xg::input<"n1", std::int32_t, b>;
constexpr auto z = xg::input<"z", T, b, 5, 2>;
constexpr auto q = xg::input<"q", T, b, 1, 1>;
constexpr auto v1 =
    xg::nn::multi_head_attention<"l1", 2, 3, xg::nn::multi_head_options{.causal = true, .bias = false, .output_width = 2}>(x, n1);
constexpr auto v2 = xg::nn::residual(v1, [](auto const& a) { return xg::nn::dense<"l2", 2>(xg::tanh(a)); });
constexpr auto v3 = xg::average_pool1d<1, xg::pool_window{.strides = 1}>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::huber(v3, z), q);
}
TEST_CASE("network 4000001") {
    using namespace n4000001;
    networks::check<T>(
        xg::minimize(loss, xg::pytorch_adam{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 5), n1 = d.integers(2, 1, 6, B), z = d.reals(3, B, 5, 2), q = d.weights(4, B, 1, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 5), n1 = d.integers(2, 1, 6, B));
        },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.3407652748089, 0, 0.4112068460135, 0.5927245330619, 0.2917637853018},
        {1.905249376465, -1.092427336485},
        {{"l1/query/kernel", 100, 0.775, 0.0, {-0.9585167767639, -0.6346130032332}},
            {"l1/key/kernel", 101, 0.775, 0.0, {-0.1920729987571, 2.781860247461}},
            {"l1/value/kernel", 102, 0.775, 0.0, {-0.7031424301446, 0.8466422879651}},
            {"l1/attention_output/kernel", 103, 0.707, 0.0, {0.9784184090969, 0.7747018114959}},
            {"l2/w", 104, 1.225, 0.0, {1.403398964802, 0.9375684343116}}, {"l2/b", 105, 0.5, 0.0, {-0.1971703238519, -0.2635282050888}}},
        1e-8);
}

namespace n4000054 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 6, 5, 4>;
constexpr auto z = xg::input<"z", T, b, 1>;
constexpr auto q = xg::input<"q", T, b, 1>;
constexpr auto v1 = xg::global_average_pool(x);
constexpr auto v2 = xg::gelu_tanh(v1);
constexpr auto v3 = xg::concat<-1>(v2, v1);
constexpr auto v4 = xg::nn::dense<"l1", 1>(v3);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_over_batch_size>(xg::quantile_loss(v4, z, 0.75_c), q);
}
TEST_CASE("network 4000054") {
    using namespace n4000054;
    networks::check<T>(
        xg::minimize(loss, xg::momentum{.learning_rate = 0.05, .momentum = 0.75, .use_nesterov = true}),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 6, 5, 4), z = d.reals(2, B, 1), q = d.weights(3, B, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 6, 5, 4)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.003428404467918, 0, 0.00733548029222, 0.04906915033883, 0.07000992284513},
        {0.5423191490452, 0.2827050374459},
        {{"l1/w", 100, 0.612, 0.0, {-0.5849247373018, -0.6076009178184}}, {"l1/b", 101, 0.5, 0.0, {0.1218157760362, -0.1056227286176}}},
        1e-8);
}

namespace n4000058 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5, 6, 1>;
constexpr auto z = xg::input<"z", T, b, 10, 1>;
constexpr auto v1 = xg::flatten<1, 2>(x);
constexpr auto v2 = xg::max_pool1d<2, xg::pool_window{.strides = 3}>(v1);
constexpr auto v3 = xg::nn::layer_scale<"l1">(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_over_batch_size>(xg::multilabel_soft_margin(v3, z));
}
TEST_CASE("network 4000058") {
    using namespace n4000058;
    networks::check<T>(
        xg::minimize(loss, xg::adamw{.weight_decay = 0.01, .learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 6, 1), z = d.shares(2, B, 10, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 6, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.7102367544111, 0.708584030024, 0.7024898022463, 0.6911580139342, 0.6930231056821}, {0.2797109924038, 0.7033501093707},
        {{"l1/gamma", 100, 0.5, 0.25, {0.05603681608723, -0.04858780702112}}}, 1e-8);
}

namespace n4000103 {
using T = double;
constexpr auto x = xg::input<"x", std::int32_t, b, t>;
constexpr auto n1 = xg::input<"n1", std::int32_t, b>;
constexpr auto z = xg::input<"z", T, b, t, 2>;
constexpr auto v1 = xg::nn::embedding<"l1", 4, 3, T>(x);
constexpr auto v2 = xg::nn::lstm<"l2", 2>(v1, xg::nn::return_sequences, xg::nn::lengths(n1), xg::nn::backwards);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::absolute_error(v2, z));
}
TEST_CASE("network 4000103") {
    using namespace n4000103;
    networks::check<T>(
        xg::minimize(loss, xg::pytorch_rms_prop{.learning_rate = 0.01, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-2}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.integers(1, 0, 4, B, N), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B), z = d.reals(3, B, N, 2));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.integers(1, 0, 4, B, N), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B));
        },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.5257914477408, 0.5016674381778, 0.4244968943208, 0.5630898666141, 0.4296089342342}, {0.2250911787159, 0.5235188085974},
        {{"l1/table", 100, 0.5, 0.0, {-0.1869001047507, -0.7331540594361}}, {"l2/w", 101, 1.0, 0.0, {-0.4430585476772, 2.85787305559}},
            {"l2/b", 102, 0.5, 0.0, {-0.105129601995, -0.3576942930998}}, {"l2/u", 103, 1.225, 0.0, {2.194459170357, 0.4697059287876}}},
        1e-8);
}

namespace n4000111 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 4, 1>;
constexpr auto z = xg::input<"z", T, b, 2>;
constexpr auto v1 = xg::nn::conv1d<"l1", 4, 3, xg::window{.padding = xg::window_padding::same}>(x);
constexpr auto v2 = xg::resize1d<3, xg::interpolation::bilinear, xg::coordinates::align_corners>(v1);
constexpr auto v3 = xg::nn::gru<"l2", 2, xg::nn::gru_options{.layers = 2}>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::squared_hinge(v3, z));
}
TEST_CASE("network 4000111") {
    using namespace n4000111;
    networks::check<T>(
        xg::minimize(loss, xg::momentum{.learning_rate = 0.05, .momentum = 0.75}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 4, 1), z = d.signs(2, B, 2));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 4, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {1.474802006409, 0.7613218544079, 1.096526846432, 1.166694164336, 1.029322880754},
        {-0.03260990626677, -0.0411886456487},
        {{"l1/w", 100, 1.0, 0.0, {-0.3663957480948, -1.411372700975}}, {"l1/b", 101, 0.5, 0.0, {0.3038001451228, 0.1638395385087}},
            {"l2/layer0/w", 102, 0.866, 0.0, {-0.00289219015617, 0.958441588555}},
            {"l2/layer0/b", 103, 0.5, 0.0, {0.4537234968084, 0.5200053505777}},
            {"l2/layer0/u", 104, 1.225, 0.0, {1.327221813877, 1.580898604721}},
            {"l2/layer0/recurrent_b", 105, 0.5, 0.0, {-0.2911141037604, -0.6120450623393}},
            {"l2/layer1/w", 106, 1.225, 0.0, {0.7785580466537, 0.8373927392112}},
            {"l2/layer1/b", 107, 0.5, 0.0, {0.2194344387058, -0.3111045185577}},
            {"l2/layer1/u", 108, 1.225, 0.0, {0.2705306828818, 0.4274984838578}},
            {"l2/layer1/recurrent_b", 109, 0.5, 0.0, {-0.301379598434, -0.2845610977543}}},
        1e-8);
}

namespace n4000121 {
using T = double;
constexpr auto x = xg::input<"x", std::int32_t, b, t>;
constexpr auto z = xg::input<"z", T, b, 4>;
constexpr auto v1 = xg::embedding_bag<xg::combiner::mean>(xg::variable<"l1", T, 8, 4>, x);
constexpr auto v2 = xg::nn::dense<"l2", 4>(v1);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::squared_error(v2, z));
}
TEST_CASE("network 4000121") {
    using namespace n4000121;
    networks::check<T>(
        xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.integers(1, 0, 8, B, N), z = d.reals(2, B, 4));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.integers(1, 0, 8, B, N)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.3874727425484, 0.3290339507971, 0.336343426047, 0.4671200647204, 0.5602089141942}, {-0.6236207904425, 0.4041967435398},
        {{"l1", 100, 0.5, 0.0, {-0.7030826106431, -0.08108543677677}}, {"l2/w", 101, 0.866, 0.0, {-0.6852073812937, 1.596752469609}},
            {"l2/b", 102, 0.5, 0.0, {-0.3462497423537, -0.6295807825715}}},
        1e-8);
}

namespace n4000122 {
using T = float;
constexpr auto x = xg::input<"x", T, b, 5, 4, 3>;
constexpr auto z = xg::input<"z", T, b, 3>;
constexpr auto q = xg::input<"q", T, b, 1>;
constexpr auto v1 = xg::dropout<"l1">(x, 0_c);
constexpr auto v2 = xg::global_max_pool(v1);
constexpr auto v3 = xg::nn::layer_norm<"l2", xg::nn::affine::scale>(v2, 0.001_c);
constexpr auto v4 = xg::sigmoid(v3);
constexpr auto v5 = v4 * v3;
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::soft_margin(v5, z), q);
}
TEST_CASE("network 4000122") {
    using namespace n4000122;
    networks::check<T>(
        xg::minimize(loss, xg::pytorch_rms_prop{.learning_rate = 0.01, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-2}),
        [](auto& train) {
            return xg::function{xg::eval(v5), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 4, 3), z = d.signs(2, B, 3), q = d.weights(3, B, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 4, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.05182592445241, 0, 0.2498860893973, 0.4417959225391, 0.3474155416103},
        {0.09867973559479, -0.2177012342437}, {{"l2/gamma", 100, 0.25, 1, {1.546716496578, 0.7704886920679}}}, 2e-5);
}

namespace n4000129 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 7, 7, 1>;
constexpr auto z = xg::input<"z", T, b, 56, 1>;
constexpr auto v1 =
    xg::sum_pool2d<xg::per_axis(3, 2), xg::pool_window{.strides = 1, .padding = xg::window_padding(1, xg::per_axis(2, 0))}>(x);
constexpr auto v2 = xg::nn::prelu<"l1">(v1);
constexpr auto v3 = xg::flatten<1, 2>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_over_batch_size>(xg::hinge(v3, z));
}
TEST_CASE("network 4000129") {
    using namespace n4000129;
    networks::check<T>(
        xg::minimize(loss, xg::adam{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 7, 7, 1), z = d.signs(2, B, 56, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 7, 7, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {1.235060758094, 1.198963483739, 1.055136424931, 1.20905197857, 1.059003772234},
        {-2.189012154459, 9.7211866361}, {{"l1/alpha", 100, 0.5, 0.25, {0.07743714228129, -0.0671433744482}}}, 1e-8);
}

namespace n4000145 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 6, 6, 1>;
constexpr auto z = xg::input<"z", T, b, 6, 6, 3>;
constexpr auto q = xg::input<"q", T, b, 6, 6, 1>;
constexpr auto v1 = xg::average_pool2d<2, xg::pool_window{.strides = 1, .padding = xg::window_padding::same, .count_padding = true}>(x);
constexpr auto v2 = xg::nn::conv2d<"l1", 3, 1, xg::window{}, false>(v1);
constexpr auto v3 = xg::nn::highway<"l2", xg::op::tanh>(v2);
constexpr auto v4 = xg::nn::batch_norm<"l3", xg::nn::affine::none, xg::nn::moving_variance::of_batch>(v3, 0.99_c, 1e-05_c);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::sigmoid_cross_entropy(v4, z), q);
}
TEST_CASE("network 4000145") {
    using namespace n4000145;
    networks::check<T>(
        xg::minimize(
            loss, xg::pytorch_adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.1}, xg::nn::updates(loss)),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 6, 6, 1), z = d.shares(2, B, 6, 6, 3), q = d.weights(3, B, 6, 6, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 6, 6, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.4623533060466, 0.5279754108971, 0.5028746559707, 0.5434750798987, 0.4735046310579}, {0.5142953975157, -0.31983377952},
        {{"l1/w", 100, 1.732, 0.0, {-1.793317528267, -1.553361761063}}, {"l2/w", 101, 1.0, 0.0, {-0.1681163688771, 1.317564294918}},
            {"l2/b", 102, 0.5, 0.0, {-0.1834492274949, -0.5819534751359}}, {"l2/gate", 103, 1.0, 0.0, {2.127562333971, 0.5360246068809}},
            {"l2/gate_b", 104, 0.5, 0.0, {0.6114260620998, 0.4442736189384}},
            {"l3/moving_mean", 105, 0.25, 0.0, {-0.1649528556725, -0.23399382375}},
            {"l3/moving_variance", 106, 0.25, 1, {1.677477933803, 0.9682557681066}}},
        1e-8);
}

namespace n4000158 {
using T = double;
constexpr auto x = xg::input<"x", T, b, t, 3>;
constexpr auto n1 = xg::input<"n1", std::int32_t, b>;
constexpr auto z = xg::input<"z", T, b, 4>;
constexpr auto q = xg::input<"q", T, b>;
constexpr auto v1 = xg::nn::rnn<"l1", 4, xg::nn::rnn_options{.layers = 2}>(x, xg::nn::lengths(n1), xg::nn::backwards);
constexpr auto v2 = xg::nn::residual(v1, [](auto const& a) { return xg::nn::dense<"l2", 4>(xg::tanh(a)); });
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::kl_divergence_with_logits(v2, xg::softmax(z)), q);
}
TEST_CASE("network 4000158") {
    using namespace n4000158;
    networks::check<T>(
        xg::minimize(loss, xg::rms_prop{.learning_rate = 0.02, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, N, 3), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B), z = d.reals(3, B, 4), q = d.weights(4, B));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, N, 3), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B));
        },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.1290392419211, 0, 0.1411628908235, 0.1785388927609, 0.01027962676673},
        {0.5013903744881, 0.8893342649083},
        {{"l1/layer0/w", 100, 1.0, 0.0, {-0.3476473320274, -1.386755356895}},
            {"l1/layer0/b", 101, 0.5, 0.0, {0.3698838615393, 0.267875097831}},
            {"l1/layer0/u", 102, 0.866, 0.0, {-0.3920852278022, 0.7214262264958}},
            {"l1/layer1/w", 103, 0.866, 0.0, {1.541371981806, 0.3277305800729}},
            {"l1/layer1/b", 104, 0.5, 0.0, {0.5644222985278, 0.3556068601377}},
            {"l1/layer1/u", 105, 0.866, 0.0, {-0.2078990226247, -2.473977440763}},
            {"l2/w", 106, 0.866, 0.0, {0.006870827816608, 1.643608777298}}, {"l2/b", 107, 0.5, 0.0, {0.1137225958555, -0.1544158560466}}},
        1e-8);
}
