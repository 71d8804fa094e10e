// SPDX-License-Identifier: MIT
// Made by networks.py from the numbers of its cases.
#include <support/networks.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/convolution.hpp>
#include <xgrad/nn/embedding.hpp>
#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/nn/norms.hpp>
#include <xgrad/nn/recurrent.hpp>
#include <xgrad/nn/residual.hpp>
#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/eval.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/likelihoods.hpp>
#include <xgrad/ops/losses/margins.hpp>
#include <xgrad/ops/losses/weighted_loss.hpp>
#include <xgrad/ops/pooling/average_pool.hpp>
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

namespace n4000002 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 4, 3, 3>;
constexpr auto z = xg::input<"z", T, b, 2, 2, 5>;
constexpr auto v1 = xg::leaky_relu(x, 0.25_c);
constexpr auto v2 = xg::average_pool2d<xg::per_axis(1, 3), xg::pool_window{.strides = 1, .padding = xg::window_padding::same}>(v1);
constexpr auto v3 = xg::nn::conv2d<"l1", 5, 2,
    xg::window{.strides = xg::per_axis(3, 1), .padding = xg::window_padding(xg::per_axis(1, 0), xg::per_axis(1, 0))}>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::squared_error(v3, z));
}
TEST_CASE("network 4000002") {
    using namespace n4000002;
    networks::check<T>(
        xg::minimize(loss, xg::adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.01}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 4, 3, 3), z = d.reals(2, B, 2, 2, 5));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 4, 3, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.4948283310793, 0.401482683324, 0.4390588437177, 0.4558904547322, 0.4096111222876}, {1.85505840345, 0.8538132049146},
        {{"l1/w", 100, 0.5, 0.0, {-0.4189608861881, -1.243786523586}}, {"l1/b", 101, 0.5, 0.0, {0.2006476123368, 0.1998545521137}}}, 1e-8);
}

namespace n4000010 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5, 1>;
constexpr auto z = xg::input<"z", T, b, 3, 1>;
constexpr auto v1 = xg::nn::conv1d<"l1", 1, 2, xg::window{.strides = 2, .padding = xg::window_padding(1, 1)}, false>(x);
constexpr auto v2 = xg::adaptive_average_pool1d<3>(v1);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::log_poisson_loss(v2, z));
}
TEST_CASE("network 4000010") {
    using namespace n4000010;
    networks::check<T>(
        xg::minimize(loss, xg::rms_prop{.learning_rate = 0.02, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 1), z = d.shares(2, B, 3, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.9036705798912, 0.9314841462015, 1.243818168406, 1.099484700307, 1.263380996215}, {-0.3838815775879, 0.5743586714426},
        {{"l1/w", 100, 1.225, 0.0, {-0.7202434169064, -0.3338585384741}}}, 1e-8);
}

namespace n4000012 {
using T = double;
constexpr auto x = xg::input<"x", std::int32_t, b, 3>;
constexpr auto z = xg::input<"z", std::int32_t, b>;
constexpr auto q = xg::input<"q", T, b>;
constexpr auto v1 = xg::nn::embedding<"l1", 8, 2, T>(x);
constexpr auto v2 = xg::nn::rnn<"l2", 2>(v1, xg::nn::return_sequences);
constexpr auto v3 = xg::global_average_pool(v2);
constexpr auto v4 = xg::nn::dense<"l3", 1>(v3);
constexpr auto v5 = xg::concat<-1>(v4, v3);
constexpr auto v6 = xg::nn::layer_norm<"l4", xg::nn::affine::none>(v5, 1e-05_c);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::sparse_softmax_cross_entropy(v6, z), q);
}
TEST_CASE("network 4000012") {
    using namespace n4000012;
    networks::check<T>(
        xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}),
        [](auto& train) {
            return xg::function{xg::eval(v6), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.integers(1, 0, 8, B, 3), z = d.integers(2, 0, 3, B), q = d.weights(3, B));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.integers(1, 0, 8, B, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {2.395330410511, 0, 2.030159842911, 1.425984551257, 0.5376891920117},
        {0.9504959607139, -1.810159488495},
        {{"l1/table", 100, 0.5, 0.0, {0.3000403609907, -0.1411286290846}}, {"l2/w", 101, 1.225, 0.0, {0.8029256902338, 0.5512527731405}},
            {"l2/b", 102, 0.5, 0.0, {-0.1919634164902, -0.3307647842467}}, {"l2/u", 103, 1.225, 0.0, {1.171461224422, 1.092299592708}},
            {"l3/w", 104, 1.225, 0.0, {0.9327633261346, 0.2097633190017}}, {"l3/b", 105, 0.5, 0.0, {0.08485851465319, -0.07357821914167}}},
        1e-8);
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

namespace n4000104 {
using T = double;
constexpr auto x = xg::input<"x", T, b, t, 1>;
constexpr auto n1 = xg::input<"n1", std::int32_t, b>;
constexpr auto z = xg::input<"z", T, b, t, 12>;
constexpr auto q = xg::input<"q", T, b, t>;
constexpr auto v1 =
    xg::nn::rnn<"l1", 3, xg::nn::rnn_options{.activation = xg::rnn_activation::relu}>(x, xg::nn::return_sequences, xg::nn::lengths(n1));
constexpr auto v2 = xg::nn::depthwise_conv1d<"l2", 2, 3, xg::window{.dilations = 2, .padding = xg::window_padding::same_lower}>(v1);
constexpr auto v3 = xg::nn::depthwise_conv1d<"l3", 2, 2, xg::window{.padding = xg::window_padding::same}>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::multilabel_soft_margin(v3, z), q);
}
TEST_CASE("network 4000104") {
    using namespace n4000104;
    networks::check<T>(
        xg::minimize(loss, xg::rms_prop{.learning_rate = 0.02, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, N, 1), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B), z = d.shares(3, B, N, 12),
                q = d.weights(4, B, N));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, N, 1), n1 = d.integers(2, 0, static_cast<int>(N) + 1, B));
        },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.393749410935, 0.1191732588321, 0.3489303148523, 0.4312554759099, 0.2832478384346}, {-1.480579372739, 0.1585770155764},
        {{"l1/w", 100, 1.732, 0.0, {-1.826696122849, -1.600926747933}}, {"l1/b", 101, 0.5, 0.0, {0.1750984698977, 0.06300629565901}},
            {"l1/u", 102, 1.0, 0.0, {-0.1440930080381, -0.6315370884077}}, {"l2/w", 103, 1.0, 0.0, {1.836567019762, 0.1524228972733}},
            {"l2/b", 104, 0.5, 0.0, {0.7231898786218, 0.272451250851}}, {"l3/w", 105, 1.225, 0.0, {0.6349672653499, -0.1529185937209}},
            {"l3/b", 106, 0.5, 0.0, {0.3093099968356, 0.3279894200549}}},
        1e-8);
}

namespace n4000105 {
using T = float;
constexpr auto x = xg::input<"x", T, b, 5, 4, 3>;
constexpr auto z = xg::input<"z", T, b, 3>;
constexpr auto v1 = xg::nn::batch_norm<"l1", xg::nn::affine::both, xg::nn::moving_variance::of_sample>(x, 0.75_c, 1e-05_c);
constexpr auto v2 = xg::global_max_pool(v1);
constexpr auto v3 = xg::leaky_relu(v2, 0.25_c);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::squared_hinge(v3, z));
}
TEST_CASE("network 4000105") {
    using namespace n4000105;
    networks::check<T>(
        xg::minimize(
            loss, xg::pytorch_adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.1}, xg::nn::updates(loss)),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 4, 3), z = d.signs(2, B, 3));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 4, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {4.693944855112, 2.495028342164, 2.705791529295, 5.902393912395, 4.415447201651},
        {2.272818570757, -0.477749793157},
        {{"l1/gamma", 100, 0.25, 1, {1.354226808565, 0.630262674284}}, {"l1/beta", 101, 0.5, 0.0, {0.00940841529709, -0.03273129340101}},
            {"l1/moving_mean", 102, 0.25, 0.0, {0.01174408350636, -0.03994923863121}},
            {"l1/moving_variance", 103, 0.25, 1, {0.9997488081874, 0.569099589362}}},
        2e-5);
}

namespace n4000106 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5, 3, 1>;
constexpr auto z = xg::input<"z", T, b, 1, 1, 3>;
constexpr auto v1 = xg::nn::conv2d<"l1", 1, xg::per_axis(1, 4),
    xg::window{.strides = xg::per_axis(1, 3), .padding = xg::window_padding(xg::per_axis(0, 2), 0)}>(x);
constexpr auto v2 = xg::sum_pool2d<1, xg::pool_window{.strides = 1}>(v1);
constexpr auto v3 =
    xg::nn::conv2d_transpose<"l2", 3, 3, xg::window{.padding = xg::window_padding(xg::per_axis(2, 0), xg::per_axis(2, 0))}>(v2);
constexpr auto v4 =
    xg::nn::depthwise_conv2d<"l3", 1, 2, xg::window{.strides = xg::per_axis(2, 3), .dilations = xg::per_axis(2, 1)}, false>(v3);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::weighted_cross_entropy_with_logits(v4, z, 2.5_c));
}
TEST_CASE("network 4000106") {
    using namespace n4000106;
    networks::check<T>(
        xg::minimize(loss, xg::pytorch_momentum{.learning_rate = 0.05, .momentum = 0.75, .dampening = 0.25}),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 3, 1), z = d.shares(2, B, 1, 1, 3));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 3, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {1.323381176812, 1.252626159274, 1.407785191756, 1.055173021402, 1.018761070872},
        {-0.8578870505891, 0.2473475167827},
        {{"l1/w", 100, 0.866, 0.0, {-0.6504451339027, -0.5133615997255}}, {"l1/b", 101, 0.5, 0.0, {0.08707899792763, -0.07550353218344}},
            {"l2/w", 102, 0.577, 0.0, {-0.5542529376932, 0.4339706858701}}, {"l2/b", 103, 0.5, 0.0, {0.3921710917067, 0.3169740054305}},
            {"l3/w", 104, 0.866, 0.0, {0.9159079450225, 1.113136927675}}},
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
