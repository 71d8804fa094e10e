// SPDX-License-Identifier: MIT
// Fashion-MNIST with a multi-layer perceptron, 784 - 128 relu - 10: Adam 1e-3, batches of 64. Three seeds and ten epochs with --full.
#include <fashion_mnist/network.hpp>

#include <xgrad/data/batches.hpp>
#include <xgrad/metrics/mean.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

namespace xg = xgrad;
using namespace examples::fashion;

static double run(examples::fashion_mnist const& data, std::uint64_t seed, int epochs) {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t pixels = examples::image_set::pixels;
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3});
    xg::function predict{logits, train};
    initialize(train, seed);

    xg::batches all{{.size = 64, .seed = seed}, xg::array(data.train.images, data.train.size(), pixels), data.train.labels};
    double accuracy = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        auto const start = clock::now();
        xg::metrics::mean losses;
        for (auto const& [images, labels] : all) losses.update(train(x = images, y = labels));
        double const seconds = std::chrono::duration<double>(clock::now() - start).count();

        accuracy = examples::fashion::accuracy(predict, data.test);
        std::printf("seed %d  epoch %2d   loss %.6f   test accuracy %.4f   %.2f s\n", static_cast<int>(seed), epoch + 1, losses.result(),
            accuracy, seconds);
    }
    return accuracy;
}

int main(int count, char** arguments) try {
    if (std::string const missing = examples::fashion_mnist_missing(); !missing.empty()) {
        std::printf("skipped: %s\n", missing.c_str());
        return 77;
    }
    bool const full = count > 1 && std::strcmp(arguments[1], "--full") == 0;
    auto const data = examples::read_fashion_mnist();
    int const seeds = full ? 3 : 1, epochs = full ? 10 : 3;
    double mean = 0;
    for (int seed = 1; seed <= seeds; ++seed) mean += run(data, static_cast<std::uint64_t>(seed), epochs) / seeds;
    std::printf("mean test accuracy %.4f\n", mean);
    // TensorFlow reaches 0.8809 +- 0.0046 with this recipe after ten epochs
    return mean >= (full ? 0.876 : 0.85) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "fashion_mnist: %s\n", e.what());
    return 1;
}
