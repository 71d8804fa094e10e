// SPDX-License-Identifier: MIT
// A convolutional network with batch normalization for Fashion-MNIST. `convolutional_net --full` reaches 0.92 of the test pictures.
// `convolutional_net predict PICTURES.pgm` names the clothes in pictures of 28 x 28 pixels.
#include <support/fashion_mnist.hpp>
#include <support/pgm.hpp>
#include <support/progress.hpp>

#include <xgrad/all.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto images = xg::input<"images", float, batch, 28, 28, 1>;
constexpr auto labels = xg::input<"labels", std::int32_t, batch>;

constexpr xg::window same{.padding = xg::window_padding::same};
template<xg::fixed_string Name, std::int64_t Filters>
constexpr auto block(xg::Expr auto const& x) {   // the bias of the convolution would be taken away by the normalization
    auto y = xg::nn::conv2d<xg::join_names<Name, "conv">(), Filters, 3, same, false>(x);
    return xg::max_pool2d<2>(xg::relu(xg::nn::batch_norm<xg::join_names<Name, "norm">()>(y, 0.9_c)));
}
constexpr auto seen = xg::random_flip_left_right<"flip">(images);
constexpr auto features = xg::flatten<1>(block<"second", 48>(block<"first", 24>(seen)));
constexpr auto hidden = xg::relu(xg::nn::dense<"hidden", 128>(xg::dropout<"drop">(features, 0.1_c)));
constexpr auto logits = xg::nn::dense<"out", 10>(xg::dropout<"drop again">(hidden, 0.1_c));
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, labels));

static constexpr char const* names[]{"T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};

int main(int count, char** arguments) try {
    using clock = std::chrono::steady_clock;
    std::string const mode = count > 1 ? arguments[1] : "";
    bool const full = mode == "--full";
    std::size_t const pictures = full ? 60000 : 6000, tested = full ? 10000 : 2000, size = 64;
    int const epochs = full ? 5 : 1;
    auto const steps = static_cast<double>(pictures / size) * epochs;
    auto train = xg::minimize(loss, xg::adam{.learning_rate = xg::one_cycle{.peak = 5e-3, .steps = steps}}, xg::nn::updates(loss));
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function predict{xg::eval(logits), train};
    auto const best = [](auto const& scores, std::int64_t row) {
        std::int32_t which = 0;
        for (std::int32_t c = 1; c < 10; ++c)
            if (scores(row, c) > scores(row, which)) which = c;
        return which;
    };
    if (mode == "predict" && count > 2) {
        xg::restore(train, "convolutional_net.safetensors", xg::variables_only);
        auto const given = examples::read_pgm(arguments[2], 28, 28);
        auto const scores = predict(images = xg::array(given, given.size() / 784, 28, 28, 1));
        for (std::int64_t k = 0; k < scores.shape(0); ++k)
            std::printf("picture %lld: %s\n", static_cast<long long>(k), names[best(scores, k)]);
        return 0;
    }
    if (std::string const missing = examples::fashion_mnist_missing(); !missing.empty()) {
        std::printf("skipped: %s\n", missing.c_str());
        return 77;
    }
    auto const data = examples::read_fashion_mnist();
    xg::batches all{
        {.size = size, .seed = 1}, xg::array(data.train.images.data(), pictures, 28, 28, 1), xg::array(data.train.labels.data(), pictures)};
    examples::progress_bar bar(pictures * static_cast<std::size_t>(epochs), 0, true);
    std::size_t done = 0;
    double accuracy = 0;
    std::vector<float> wrong;   // pictures
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        auto const start = clock::now();
        xg::metrics::mean losses;
        for (auto const& [x, y] : all) {
            losses.update(train(images = x, labels = y));
            bar.update(done += size, "convolutional_net", losses.result());
        }
        bar.clear();
        double const seconds = std::chrono::duration<double>(clock::now() - start).count();
        xg::metrics::accuracy right;
        wrong.clear();
        for (std::size_t k = 0; k < tested; k += 500) {
            float const* const some = data.test.images.data() + k * 784;
            auto const scores = predict(images = xg::array(some, 500, 28, 28, 1));
            right.update(scores, xg::array(data.test.labels.data() + k, 500));
            for (std::size_t i = 0; i < 500; ++i)
                if (best(scores, static_cast<std::int64_t>(i)) != data.test.labels[k + i] && wrong.size() < 128 * 784)
                    wrong.insert(wrong.end(), some + i * 784, some + (i + 1) * 784);
        }
        accuracy = right.result();
        std::printf("epoch %d   loss %.4f   test accuracy %.4f   %.1f s\n", epoch, losses.result(), accuracy, seconds);
    }
    xg::save(train, "convolutional_net.safetensors");
    examples::write_pgm("wrong.pgm", wrong, 28, 28, 16);
    examples::write_pgm("pictures.pgm", {data.test.images.data(), 16 * 784}, 28, 28, 16);
    std::printf("wrong.pgm: the first pictures with a wrong answer; pictures.pgm: 16 test pictures\n");
    return accuracy >= (full ? 0.92 : 0.7) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "convolutional_net: %s\n", e.what());
    return 1;
}
