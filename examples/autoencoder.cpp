// SPDX-License-Identifier: MIT
// A variational autoencoder (Kingma, Welling 2014) of Fashion-MNIST: it learns eight numbers for a picture, and draws new pictures.
// `autoencoder predict PICTURES.pgm` prints the numbers of pictures of 28 x 28 pixels, and draws them again from these numbers.
#include <support/fashion_mnist.hpp>
#include <support/pgm.hpp>
#include <support/progress.hpp>

#include <xgrad/data/batches.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/metrics/mean.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr std::int64_t pixels = 784, code_size = 8;
constexpr auto x = xg::input<"x", float, batch, pixels>;

// The encoder gives a normal distribution of codes for each picture; a code is drawn from it.
constexpr auto seen = xg::relu(xg::nn::dense<"encoder/hidden", 256>(x));
constexpr auto mean = xg::nn::dense<"encoder/mean", code_size>(seen);
constexpr auto log_variance = xg::nn::dense<"encoder/log_variance", code_size>(seen);
constexpr auto code = mean + xg::exp(0.5_c * log_variance) * xg::normal_like<"noise">(mean);

// The decoder is a function: it serves the codes of pictures and codes that are drawn.
template<xg::Expr Code, class... Shared>
constexpr auto decode(Code const& c, Shared... shared) {
    auto drawn = xg::relu(xg::nn::dense<"decoder/hidden", 256>(c, shared...));
    return xg::nn::dense<"decoder/pixels", pixels>(drawn, shared...);
}
constexpr auto logits = decode(code);
constexpr auto picture_loss = xg::sum<1>(xg::sigmoid_cross_entropy(logits, x));
constexpr auto divergence = 0.5_c * xg::sum<1>(xg::square(mean) + xg::exp(log_variance) - 1_c - log_variance);
constexpr auto loss = xg::mean(picture_loss + divergence);   // minus the evidence lower bound

constexpr auto given_code = xg::input<"code", float, batch, code_size>;
constexpr auto picture = xg::sigmoid(decode(given_code, xg::nn::shared));

int main(int count, char** arguments) try {
    std::string const mode = count > 1 ? arguments[1] : "";
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3});
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function measure{loss, train};
    xg::function encode{mean, train};
    xg::function draw{picture, train};
    if (mode == "predict" && count > 2) {
        xg::restore(train, "autoencoder.safetensors", xg::variables_only);
        auto const given = examples::read_pgm(arguments[2], 28, 28);
        auto const codes = encode(x = xg::array(given, given.size() / pixels, std::size_t{pixels}));
        for (std::int64_t k = 0; k < codes.shape(0); ++k) {
            std::printf("picture %lld:", static_cast<long long>(k));
            for (std::int64_t i = 0; i < code_size; ++i) std::printf(" %6.2f", static_cast<double>(codes(k, i)));
            std::putchar('\n');
        }
        auto const again = draw(given_code = codes);
        examples::write_pgm("again.pgm", {again.data(), given.size()}, 28, 28, 16);
        return 0;
    }
    if (std::string const missing = examples::fashion_mnist_missing(); !missing.empty()) {
        std::printf("skipped: %s\n", missing.c_str());
        return 77;
    }
    bool const full = mode == "--full";
    auto data = examples::read_fashion_mnist();
    std::size_t const pictures = full ? data.train.size() : 10000;
    int const epochs = full ? 20 : 2;

    xg::batches all{{.size = 100, .seed = 1}, xg::array(data.train.images.data(), pictures, std::size_t{pixels})};
    examples::progress_bar bar(pictures * static_cast<std::size_t>(epochs), 0, true);
    std::size_t done = 0;
    double last = 0;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        xg::metrics::mean losses;
        for (auto const& [images] : all) {
            losses.update(train(x = images));
            bar.update(done += 100, "autoencoder", losses.result());
        }
        bar.clear();
        last = static_cast<double>(measure(x = xg::array(data.test.images.data(), 1000, std::size_t{pixels})));
        std::printf("epoch %2d   loss of a picture %.2f   of test pictures %.2f\n", epoch, losses.result(), last);
    }
    xg::save(train, "autoencoder.safetensors");

    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<float> codes(64 * code_size);
    for (float& c : codes) c = normal(random);
    auto const drawn = draw(given_code = xg::array(codes, 64, code_size));
    examples::write_pgm("samples.pgm", {drawn.data(), 64 * std::size_t{pixels}}, 28, 28, 16);
    examples::write_pgm("pictures.pgm", {data.test.images.data(), 16 * std::size_t{pixels}}, 28, 28, 16);
    std::printf("64 new pictures are in samples.pgm, 16 test pictures in pictures.pgm, the model in autoencoder.safetensors\n");
    return last < (full ? 245 : 290) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "autoencoder: %s\n", e.what());
    return 1;
}
