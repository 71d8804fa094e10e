// SPDX-License-Identifier: MIT
// Made by networks.py from the numbers of its cases.
#include <support/networks.hpp>

#include <xgrad/nn/dense.hpp>
#include <xgrad/nn/batch_norm.hpp>
#include <xgrad/nn/convolution.hpp>
#include <xgrad/nn/gates.hpp>
#include <xgrad/nn/norms.hpp>
#include <xgrad/nn/transformer.hpp>
#include <xgrad/ops/activations.hpp>
#include <xgrad/ops/eval.hpp>
#include <xgrad/ops/images/patches.hpp>
#include <xgrad/ops/index/bags.hpp>
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

namespace n4000041 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 5, 5>;
constexpr auto z = xg::input<"z", T, b, 6, 2>;
constexpr auto q = xg::input<"q", T, b, 6, 2>;
constexpr auto v1 = xg::nn::conv1d_transpose<"l1", 2, 2, xg::window{}>(x);
constexpr auto v2 =
    xg::nn::transformer_decoder_block<"l2", 1, 3, xg::nn::transformer_options{.norm_first = true, .activation = xg::nn::feedforward::silu}>(
        v1, x);
constexpr auto v3 = xg::nn::batch_norm<"l3", xg::nn::affine::none, xg::nn::moving_variance::of_sample>(v2, 0.99_c, 1e-05_c);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum>(xg::squared_error(v3, z), q);
}
TEST_CASE("network 4000041") {
    using namespace n4000041;
    networks::check<T>(
        xg::minimize(loss, xg::adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.01}, xg::nn::updates(loss)),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 5, 5), z = d.reals(2, B, 6, 2), q = d.weights(3, B, 6, 2));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 5, 5)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {10.52815657412, 29.3969538515, 26.9595796513, 21.55159910836, 13.17925150076},
        {3.680259258753, -5.997342478515},
        {{"l1/w", 100, 0.548, 0.0, {-0.1144020727004, -0.5763804083946}}, {"l1/b", 101, 0.5, 0.0, {0.00699756492178, -0.1718630603097}},
            {"l2/self_attention/query/kernel", 102, 1.225, 0.0, {-0.7265041880321, -1.559749997294}},
            {"l2/self_attention/query/bias", 103, 0.5, 0.0, {0.3229466864741, 0.2245380859859}},
            {"l2/self_attention/key/kernel", 104, 1.225, 0.0, {1.272696736617, 0.744523426288}},
            {"l2/self_attention/key/bias", 105, 0.5, 0.0, {-0.2182879743781, -0.296850218619}},
            {"l2/self_attention/value/kernel", 106, 1.225, 0.0, {0.1521368943895, 0.6896396681713}},
            {"l2/self_attention/value/bias", 107, 0.5, 0.0, {0.3145343973266, 0.1140997994955}},
            {"l2/self_attention/attention_output/kernel", 108, 1.225, 0.0, {0.190903481238, 0.05834344314297}},
            {"l2/self_attention/attention_output/bias", 109, 0.5, 0.0, {-0.1479401680371, 0.04886767736749}},
            {"l2/self_attention/norm/gamma", 110, 0.25, 1, {1.273985877137, 0.08163197307107}},
            {"l2/self_attention/norm/beta", 111, 0.5, 0.0, {-0.339684584231, -0.09177537621675}},
            {"l2/cross_attention/query/kernel", 112, 1.225, 0.0, {-1.430873011418, -1.921128978986}},
            {"l2/cross_attention/query/bias", 113, 0.5, 0.0, {0.3226337275636, 0.05540397279912}},
            {"l2/cross_attention/key/kernel", 114, 0.775, 0.0, {1.283947735037, 0.7468672122854}},
            {"l2/cross_attention/key/bias", 115, 0.5, 0.0, {-0.4182918727069, -0.01028065800891}},
            {"l2/cross_attention/value/kernel", 116, 0.775, 0.0, {1.354548564991, 0.2220646459085}},
            {"l2/cross_attention/value/bias", 117, 0.5, 0.0, {-0.0005092815369908, -0.1826269148543}},
            {"l2/cross_attention/attention_output/kernel", 118, 1.225, 0.0, {0.706598575964, 0.4701578879988}},
            {"l2/cross_attention/attention_output/bias", 119, 0.5, 0.0, {0.5235296570598, 0.05915053308026}},
            {"l2/cross_attention/norm/gamma", 120, 0.25, 1, {1.201252735655, 0.01491669845949}},
            {"l2/cross_attention/norm/beta", 121, 0.5, 0.0, {-0.3526574724584, -0.1036880810556}},
            {"l2/feedforward/norm/gamma", 122, 0.25, 1, {1.048211146654, 0.04767282245114}},
            {"l2/feedforward/norm/beta", 123, 0.5, 0.0, {-0.4986608743637, -0.03074551862253}},
            {"l2/feedforward_intermediate/w", 124, 1.225, 0.0, {-0.4523297308235, -0.08088202567999}},
            {"l2/feedforward_intermediate/b", 125, 0.5, 0.0, {0.4099921671141, 0.3312300539814}},
            {"l2/feedforward_output/w", 126, 1.0, 0.0, {-0.2232023136019, -0.1995036805864}},
            {"l2/feedforward_output/b", 127, 0.5, 0.0, {0.2499830637227, -0.0458881850462}},
            {"l3/moving_mean", 128, 0.25, 0.0, {0.1491001684252, 0.06716995699069}},
            {"l3/moving_variance", 129, 0.25, 1, {1.397498178342, 0.205013806239}}},
        1e-8);
}

namespace n4000043 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 7, 7, 4>;
constexpr auto z = xg::input<"z", T, b, 2, 4, 4>;
constexpr auto q = xg::input<"q", T, b, 1, 1, 1>;
constexpr auto v1 =
    xg::nn::separable_conv2d<"l1", 3, 2, xg::window{.strides = xg::per_axis(3, 1), .padding = xg::window_padding::same}, 1>(x);
constexpr auto v2 = xg::nn::conv2d<"l2", 3, 1, xg::window{.strides = 2}>(v1);
constexpr auto v3 = xg::nn::dense<"l3", 4>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::sigmoid_cross_entropy(v3, z), q);
}
TEST_CASE("network 4000043") {
    using namespace n4000043;
    networks::check<T>(
        xg::minimize(loss, xg::momentum{.learning_rate = 0.05, .momentum = 0.75, .use_nesterov = true}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 7, 7, 4), z = d.shares(2, B, 2, 4, 4), q = d.weights(3, B, 1, 1, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 7, 7, 4)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.7391141154379, 0, 0.8402405830242, 0.7737859280515, 0.8709091879684},
        {-1.979765943128, 2.04440146596},
        {{"l1/depthwise/w", 100, 0.866, 0.0, {0.5672897984732, -0.7796121480153}},
            {"l1/pointwise/w", 101, 0.866, 0.0, {-0.6715192843263, 1.752662708443}},
            {"l1/pointwise/b", 102, 0.5, 0.0, {-0.1673038986952, -0.5240556487183}},
            {"l2/w", 103, 1.0, 0.0, {2.079162278105, 0.6661127292416}}, {"l2/b", 104, 0.5, 0.0, {0.6636218225235, 0.4364714698285}},
            {"l3/w", 105, 1.0, 0.0, {-0.6558288352832, -1.567178180591}}, {"l3/b", 106, 0.5, 0.0, {0.0758513798104, 0.2760315468909}}},
        1e-8);
}

namespace n4000049 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 4, 6, 2>;
constexpr auto z = xg::input<"z", std::int32_t, b, 2, 3>;
constexpr auto v1 = xg::lp_pool2d<1, 2, xg::pool_window{.strides = 1, .padding = xg::window_padding::same_lower}>(x);
constexpr auto v2 = xg::nn::group_norm<"l1", 2, xg::nn::affine::offset>(v1, 1e-05_c);
constexpr auto v3 = xg::extract_patches<xg::per_axis(1, 3), xg::window{.padding = xg::window_padding::same}>(v2);
constexpr auto v4 = xg::nn::depthwise_conv2d<"l2", 1, 1, xg::window{.strides = 2, .padding = xg::window_padding::same_lower}>(v3);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::sparse_softmax_cross_entropy(v4, z));
}
TEST_CASE("network 4000049") {
    using namespace n4000049;
    networks::check<T>(
        xg::minimize(loss, xg::rms_prop{.learning_rate = 0.02, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 4, 6, 2), z = d.integers(2, 0, 6, B, 2, 3));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 4, 6, 2)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {2.401664381395, 2.50630838206, 2.500542693152, 2.996466461831, 3.028844253637},
        {2.230537628661, -13.93096296629},
        {{"l1/beta", 100, 0.5, 0.0, {-0.2206308683819, -0.1195030823529}}, {"l2/w", 101, 1.732, 0.0, {0.8738497128545, 1.764806329821}},
            {"l2/b", 102, 0.5, 0.0, {-0.3237783601616, -0.5038051085483}}},
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
        xg::minimize(loss, xg::adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.01}),
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

namespace n4000062 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 3, 2, 3, 1>;
constexpr auto z = xg::input<"z", T, b, 2, 1, 2, 3>;
constexpr auto q = xg::input<"q", T, b, 2, 1, 2, 1>;
constexpr auto v1 = xg::nn::conv3d_transpose<"l1", 3, 2, xg::window{.padding = xg::window_padding::same}>(x);
constexpr auto v2 = xg::softplus(v1);
constexpr auto v3 =
    xg::nn::conv3d<"l2", 6, 1, xg::window{.dilations = xg::per_axis(1, 2, 2), .padding = xg::window_padding::same, .groups = 3}, false>(v2);
constexpr auto v4 = xg::average_pool3d<xg::per_axis(2, 3, 2),
    xg::pool_window{.strides = 2, .padding = xg::window_padding::same_lower, .count_padding = true}>(v3);
constexpr auto v5 = xg::dropout<"l3">(v4, 0_c);
constexpr auto v6 = xg::nn::conv3d_transpose<"l4", 3, 2, xg::window{.padding = xg::window_padding::same}>(v5);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::hinge(v6, z), q);
}
TEST_CASE("network 4000062") {
    using namespace n4000062;
    networks::check<T>(
        xg::minimize(loss, xg::momentum{.learning_rate = 0.05, .momentum = 0.75}),
        [](auto& train) {
            return xg::function{xg::eval(v6), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 3, 2, 3, 1), z = d.signs(2, B, 2, 1, 2, 3), q = d.weights(3, B, 2, 1, 2, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 3, 2, 3, 1)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.6917445587534, 0.8099941626677, 0.6219188636872, 0.7403964254291, 0.6104641916047}, {0.8177555301127, 1.130779370591},
        {{"l1/w", 100, 0.612, 0.0, {0.05583449191584, -0.6969731020192}}, {"l1/b", 101, 0.5, 0.0, {0.1815073645274, 0.06048339383012}},
            {"l2/w", 102, 1.732, 0.0, {-1.372401644914, -1.977774698065}}, {"l4/w", 103, 0.25, 0.0, {0.4765628979292, 0.1194382387269}},
            {"l4/b", 104, 0.5, 0.0, {0.5616315229669, 0.3995799816166}}},
        1e-8);
}

namespace n4000074 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 7, 6, 3>;
constexpr auto z = xg::input<"z", T, b, 2, 1, 4>;
constexpr auto v1 = xg::nn::rms_norm<"l1", xg::nn::affine::offset>(x, 0.001_c);
constexpr auto v2 = xg::nn::conv2d<"l2", 4, 1, xg::window{}, false>(v1);
constexpr auto v3 = xg::adaptive_max_pool2d<xg::per_axis(2, 1)>(v2);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::log_cosh(v3, z));
}
TEST_CASE("network 4000074") {
    using namespace n4000074;
    networks::check<T>(
        xg::minimize(loss, xg::pytorch_momentum{.learning_rate = 0.05, .momentum = 0.75, .dampening = 0.25}),
        [](auto& train) {
            return xg::function{xg::eval(v3), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 7, 6, 3), z = d.reals(2, B, 2, 1, 4));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 7, 6, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {1.023024204908, 1.115099127309, 0.7745147813685, 0.894642676818, 0.7158052964678}, {1.253544763412, 6.390573143493},
        {{"l1/beta", 100, 0.5, 0.0, {-0.7840780832576, -0.712386113668}}, {"l2/w", 101, 1.0, 0.0, {-0.6874889361595, 1.744854402559}}},
        1e-8);
}

namespace n4000079 {
using T = double;
constexpr auto x = xg::input<"x", std::int32_t, b, t>;
constexpr auto z = xg::input<"z", T, b, 3>;
constexpr auto q = xg::input<"q", T, b, 1>;
constexpr auto v1 = xg::embedding_bag<xg::combiner::mean>(xg::variable<"l1", T, 3, 3>, x);
constexpr auto v2 = xg::nn::prelu<"l2">(v1);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::squared_error(v2, z), q);
}
TEST_CASE("network 4000079") {
    using namespace n4000079;
    networks::check<T>(
        xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.integers(1, 0, 3, B, N), z = d.reals(2, B, 3), q = d.weights(3, B, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.integers(1, 0, 3, B, N)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.01486276105393, 0, 0.1185294272961, 0.09070631579084, 0.1323452155098},
        {-0.2963178741918, 0.07851006098589},
        {{"l1", 100, 0.5, 0.0, {-0.5151359250371, -0.5589591414671}}, {"l2/alpha", 101, 0.5, 0.25, {0.6347761924374, 0.3072249556594}}},
        1e-8);
}

namespace n4000093 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 7, 3, 2>;
constexpr auto z = xg::input<"z", T, b, 4, 2>;
constexpr auto q = xg::input<"q", T, b, 1, 1>;
constexpr auto v1 = xg::adaptive_average_pool2d<xg::per_axis(4, 2)>(x);
constexpr auto v2 = xg::gelu(v1);
constexpr auto v3 = xg::sum<2>(v2);
constexpr auto v4 = xg::nn::transformer_encoder_block<"l1", 1, 1,
    xg::nn::transformer_options{.norm_first = true, .rotary = true, .activation = xg::nn::feedforward::gelu}>(v3);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_over_batch_size>(xg::huber(v4, z, 0.5_c), q);
}
TEST_CASE("network 4000093") {
    using namespace n4000093;
    networks::check<T>(
        xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1}),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 7, 3, 2), z = d.reals(2, B, 4, 2), q = d.weights(3, B, 1, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 7, 3, 2)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.009192738118911, 0, 0.1070980799418, 0.1824002908543, 0.2522708788287},
        {-2.115226484037, 1.485424990333},
        {{"l1/self_attention/query/kernel", 100, 1.225, 0.0, {-0.9264088586421, -0.734507436119}},
            {"l1/self_attention/query/bias", 101, 0.5, 0.0, {0.03629480491758, -0.1453273049672}},
            {"l1/self_attention/key/kernel", 102, 1.225, 0.0, {-0.8565958846764, -1.759073181245}},
            {"l1/self_attention/key/bias", 103, 0.5, 0.0, {0.3030321328896, 0.187488683913}},
            {"l1/self_attention/value/kernel", 104, 1.225, 0.0, {1.368982448508, 0.839479673744}},
            {"l1/self_attention/value/bias", 105, 0.5, 0.0, {-0.2216034070598, -0.3032998912104}},
            {"l1/self_attention/attention_output/kernel", 106, 1.225, 0.0, {0.1965518675032, 0.6817304673518}},
            {"l1/self_attention/attention_output/bias", 107, 0.5, 0.0, {0.2866552248032, 0.07320488592108}},
            {"l1/self_attention/norm/gamma", 108, 0.25, 1, {1.212909567673, 0.1106442258138}},
            {"l1/self_attention/norm/beta", 109, 0.5, 0.0, {-0.1294807852512, 0.08621863977889}},
            {"l1/feedforward/norm/gamma", 110, 0.25, 1, {1.393769935699, 0.1016523627155}},
            {"l1/feedforward/norm/beta", 111, 0.5, 0.0, {-0.3902913462331, -0.1381634589852}},
            {"l1/feedforward_intermediate/w", 112, 1.225, 0.0, {-0.4844658509602, -0.7509195805481}},
            {"l1/feedforward_intermediate/b", 113, 0.5, 0.0, {0.05166471428907, -0.04479689145384}},
            {"l1/feedforward_output/w", 114, 1.732, 0.0, {1.058529385852, 0.893739528652}},
            {"l1/feedforward_output/b", 115, 0.5, 0.0, {-0.4537305104968, -0.02363186772977}}},
        1e-8);
}

namespace n4000135 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 2, 3, 2, 2>;
constexpr auto z = xg::input<"z", T, b, 1, 1, 1, 1>;
constexpr auto q = xg::input<"q", T, b, 1, 1, 1, 1>;
constexpr auto v1 = xg::max_pool3d<xg::per_axis(1, 2, 2), xg::pool_window{.strides = 1, .padding = xg::window_padding::same_lower}>(x);
constexpr auto v2 =
    xg::nn::conv3d<"l1", 4, 2, xg::window{.strides = 2, .padding = xg::window_padding(xg::per_axis(0, 1, 0), 1), .groups = 2}>(v1);
constexpr auto v3 = xg::nn::instance_norm<"l2", xg::nn::affine::none>(v2, 1e-05_c);
constexpr auto v4 = xg::nn::conv3d<"l3", 1, 1, xg::window{.strides = xg::per_axis(1, 2, 2)}>(v3);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::sum_by_nonzero_weights>(xg::squared_hinge(v4, z), q);
}
TEST_CASE("network 4000135") {
    using namespace n4000135;
    networks::check<T>(
        xg::minimize(loss, xg::momentum{.learning_rate = 0.05, .momentum = 0.75}),
        [](auto& train) {
            return xg::function{xg::eval(v4), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 2, 3, 2, 2), z = d.signs(2, B, 1, 1, 1, 1), q = d.weights(3, B, 1, 1, 1, 1));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 2, 3, 2, 2)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {0.002148848858826, 0, 1.346779149859, 4.398107806793, 0.6497482186385},
        {-2.38997175605, -1.638802404957},
        {{"l1/w", 100, 0.612, 0.0, {-1.592072281955, 0.8737152540916}}, {"l1/b", 101, 0.5, 0.0, {0.3642812226841, 0.2646507415052}},
            {"l3/w", 102, 0.866, 0.0, {-0.501015936216, -0.7556025094877}}, {"l3/b", 103, 0.5, 0.0, {-0.09799422324958, 0.08496778976562}}},
        1e-8);
}

namespace n4000141 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 4, 7, 2>;
constexpr auto z = xg::input<"z", T, b, 2, 4, 4>;
constexpr auto q = xg::input<"q", T, b, 2, 4>;
constexpr auto v1 = xg::nn::highway<"l1", xg::op::tanh>(x);
constexpr auto v2 = xg::nn::conv2d<"l2", 4, 1, xg::window{.strides = 2, .dilations = 2, .groups = 2}>(v1);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::softmax_cross_entropy(v2, xg::softmax(z)), q);
}
TEST_CASE("network 4000141") {
    using namespace n4000141;
    networks::check<T>(
        xg::minimize(loss, xg::adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.01}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 4, 7, 2), z = d.reals(2, B, 2, 4, 4), q = d.weights(3, B, 2, 4));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 4, 7, 2)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}}, {1.497302323382, 1.510755780811, 1.475082814578, 1.516394002458, 1.495034859036},
        {2.4647342204, 0.587859312225},
        {{"l1/w", 100, 1.225, 0.0, {-0.7950179233971, -0.5946320992039}}, {"l1/b", 101, 0.5, 0.0, {0.06765274136156, -0.1038489489938}},
            {"l1/gate", 102, 1.225, 0.0, {-0.7701650454186, -1.591597428473}},
            {"l1/gate_b", 103, 0.5, 0.0, {0.3093021612079, 0.1760072594954}}, {"l2/w", 104, 1.732, 0.0, {1.777295568395, 1.132364587043}},
            {"l2/b", 105, 0.5, 0.0, {-0.313325972846, -0.4103192508359}}},
        1e-8);
}

namespace n4000179 {
using T = double;
constexpr auto x = xg::input<"x", T, b, 6, 4, 3>;
constexpr auto z = xg::input<"z", T, b, 6, 4, 2>;
constexpr auto v1 = xg::nn::conv2d_transpose<"l1", 2, 2, xg::window{.strides = 2, .padding = xg::window_padding::same_lower}>(x);
constexpr auto v2 = xg::min_pool2d<4, xg::pool_window{.strides = 2, .padding = xg::window_padding::same_lower}>(v1);
constexpr auto loss = xg::weighted_loss<xg::loss_reduction::mean>(xg::soft_margin(v2, z));
}
TEST_CASE("network 4000179") {
    using namespace n4000179;
    networks::check<T>(
        xg::minimize(loss, xg::adam{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}),
        [](auto& train) {
            return xg::function{xg::eval(v2), train};
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) {
            return f(x = d.reals(1, B, 6, 4, 3), z = d.signs(2, B, 6, 4, 2));
        },
        [](auto& f, auto& d, [[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N) { return f(x = d.reals(1, B, 6, 4, 3)); },
        {{3, 4}, {2, 5}, {4, 3}, {3, 6}, {2, 4}, {3, 5}},
        {0.6937537278576, 0.7030045857226, 0.7018094747745, 0.7020375970936, 0.7011494506797}, {1.320036864964, -4.04159642456},
        {{"l1/w", 100, 0.5, 0.0, {-0.1570198443391, -0.5286349085402}}, {"l1/b", 101, 0.5, 0.0, {0.1061895141734, -0.1058095592229}}},
        1e-8);
}
