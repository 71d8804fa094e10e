// SPDX-License-Identifier: MIT
// Convolutional networks: a step of training, and inference of one picture. against_torch runs them next to PyTorch.
#include "served.hpp"

#include <xgrad/all.hpp>
#include <xgrad/ops/pooling/average_pool.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto labels = xg::input<"labels", std::int32_t, batch>;
constexpr xg::window same{.padding = xg::window_padding(1)};

// PyTorch's layer: its epsilon and its moving variance.
template<xg::fixed_string Name>
constexpr auto norm(auto const& x) {
    return xg::nn::batch_norm<Name, xg::nn::affine::both, xg::nn::moving_variance::of_sample>(x, 0.9_c, 1e-5_c);
}

namespace cnn {
constexpr auto images = xg::input<"images", float, batch, 28, 28, 1>;
template<xg::fixed_string Name, std::int64_t Filters>
constexpr auto part(auto const& x) {
    auto const y = xg::nn::conv2d<xg::join_names<Name, "conv">(), Filters, 3, same, false>(x);
    return xg::max_pool2d<2>(xg::relu(norm<xg::join_names<Name, "norm">()>(y)));
}
constexpr auto features = xg::flatten<1>(part<"second", 48>(part<"first", 24>(images)));
constexpr auto logits = xg::nn::dense<"out", 10>(xg::relu(xg::nn::dense<"hidden", 128>(features)));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, labels));
}   // namespace cnn

// ResNet-20 for pictures of 32x32 (He et al. 2015), with projections where the shape changes.
namespace resnet {
constexpr auto images = xg::input<"images", float, batch, 32, 32, 3>;
template<int I, std::int64_t Filters, std::int64_t Stride>
constexpr auto convolved(auto const& x) {
    constexpr xg::window how{.strides = Stride, .padding = xg::window_padding(1)};
    return norm<xg::numbered<"norm", I>>(xg::nn::conv2d<xg::numbered<"conv", I>, Filters, 3, how, false>(x));
}
template<int I>
struct block : xg::let<block<I>> {
    static constexpr auto value() {
        if constexpr (I == 0) return xg::relu(convolved<0, 16, 1>(images));
        else {
            constexpr int stage = (I - 1) / 3;
            constexpr bool narrows = stage > 0 && (I - 1) % 3 == 0;
            constexpr std::int64_t filters = 16 << stage;
            constexpr block<I - 1> x;
            auto const y = convolved<2 * I, filters, 1>(xg::relu(convolved < 2 * I - 1, filters, narrows ? 2 : 1 > (x)));
            if constexpr (!narrows) return xg::relu(y + x);
            else {
                auto const z = xg::nn::conv2d<xg::numbered<"project", I>, filters, 1, xg::window{.strides = 2}, false>(x);
                return xg::relu(y + norm<xg::numbered<"project_norm", I>>(z));
            }
        }
    }
};
constexpr auto logits = xg::nn::dense<"out", 10>(xg::global_average_pool(block<9>{}));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, labels));
}   // namespace resnet

/// A row of training in batches, and one of inference of one picture.
template<class Logits, class Loss, class Images, class Rule>
void rows(bench::served& all, std::string const& name, std::string const& rule_name, Logits const& logits, Loss const& loss, Images images,
    Rule const& rule, std::size_t size, std::size_t pixels) {
    auto train =
        std::make_shared<decltype(xg::minimize(loss, rule, xg::nn::updates(loss)))>(xg::minimize(loss, rule, xg::nn::updates(loss)));
    train->initialize(xg::glorot_uniform{.seed = 1});
    auto predict = std::make_shared<decltype(xg::function{xg::eval(logits), *train})>(xg::function{xg::eval(logits), *train});
    auto const x = std::make_shared<std::vector<float>>(bench::numbers(size * pixels, 1));
    auto const y = std::make_shared<std::vector<std::int32_t>>(bench::classes(size));
    auto const save = [train](std::string const& path) { xg::save(*train, path); };
    auto const picture = [x, images](
                             std::size_t n) { return std::apply([&](auto... d) { return xg::array(x->data(), n, d...); }, images.second); };
    auto const step = [=] { return double((*train)(images.first = picture(size), labels = xg::array(y->data(), size))); };
    auto const one = [=] { return bench::checksum((*predict)(images.first = picture(1))); };
    train->reserve(batch = static_cast<std::int64_t>(size));
    predict->reserve(batch = 1);
    all.row({name + ", " + rule_name + ", batch " + std::to_string(size), step, train->arena_bytes(), save});
    all.row({name + ", inference, batch 1", one, predict->arena_bytes(), save});
}
}   // namespace

int main(int argc, char** argv) {
    bench::served all(argc, argv, "networks");
    rows(all, "CNN 28x28x1", "Adam", cnn::logits, cnn::loss, std::pair{cnn::images, std::tuple{28, 28, 1}},
        xg::pytorch_adam{.learning_rate = 1e-3}, 64, 784);
    rows(all, "ResNet-20 32x32x3", "momentum", resnet::logits, resnet::loss, std::pair{resnet::images, std::tuple{32, 32, 3}},
        xg::momentum{.learning_rate = 0.01, .momentum = 0.9}, 32, 3072);
    return all.finish();
}
