// SPDX-License-Identifier: MIT
// 784-128-10 with Adam against TensorFlow: losses of 20 steps and the variables after them, on made-up inputs and on Fashion-MNIST.
#include <train/trace.hpp>

#include <support/recipe_random.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;
constexpr auto logits = xg::matmul(xg::relu(xg::matmul(x, w1) + b1), w2) + b2;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

constexpr std::size_t steps = 20, rows = 64;

void follow(std::string const& name, std::vector<float> const& images, std::vector<std::int32_t> const& labels) {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3});
    examples::fill_glorot(1, 0, 784, 128, train.value(w1));
    examples::fill_glorot(1, 1, 128, 10, train.value(w2));
    trace const expected = read_trace("fashion_trace.txt", name, 2, 4);
    REQUIRE(expected.losses.size() == steps);
    for (std::size_t i = 0; i < steps; ++i) {
        float const value = train(x = xg::array(&images[i * rows * 784], rows, 784), y = xg::array(&labels[i * rows], rows));
        CHECK_MESSAGE(near(value, expected.losses[i], 1e-5), name << ", step " << i << ": " << value << " against " << expected.losses[i]);
    }
    check_variable(expected, "w1", train.value(w1));
    check_variable(expected, "b1", train.value(b1));
    check_variable(expected, "w2", train.value(w2));
    check_variable(expected, "b2", train.value(b2));
}

std::vector<unsigned char> unpack(std::filesystem::path const& path) {
    std::vector<unsigned char> data;
    std::FILE* const pipe = ::popen(("gzip -dc -- '" + path.string() + "'").c_str(), "r");
    REQUIRE(pipe != nullptr);
    unsigned char buffer[1 << 16];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) data.insert(data.end(), buffer, buffer + n);
    REQUIRE(::pclose(pipe) == 0);
    return data;
}

}   // namespace

TEST_CASE("a layered net with adam on made-up inputs: 20 steps as TensorFlow takes them") {
    std::vector<float> images(steps * rows * 784);
    std::vector<std::int32_t> labels(steps * rows);
    for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>(examples::uniform(1, 0x200, i));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(examples::stream(1, 0x201, i) % 10);
    follow("synthetic", images, labels);
}

TEST_CASE("a layered net with adam on Fashion-MNIST: 20 steps as TensorFlow takes them") {
    char const* const chosen = std::getenv("FASHION_MNIST");
    std::filesystem::path const folder = chosen != nullptr && *chosen != '\0' ? chosen : "/usr/share/datasets/fashion-mnist";
    if (!std::filesystem::exists(folder / "train-images-idx3-ubyte.gz")) {
        MESSAGE("skipped: no Fashion-MNIST in " << folder.string() << " (Debian's package dataset-fashion-mnist)");
        return;
    }
    auto const pictures = unpack(folder / "train-images-idx3-ubyte.gz"), classes = unpack(folder / "train-labels-idx1-ubyte.gz");
    REQUIRE(pictures.size() == 16 + 60000 * 784);
    REQUIRE(classes.size() == 8 + 60000);
    std::vector<std::uint32_t> const order = examples::order_of_rows(1, 0, 60000);
    std::vector<float> images;
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < steps * rows; ++i) {
        for (std::size_t k = 0; k < 784; ++k) images.push_back(static_cast<float>(pictures[16 + std::size_t{order[i]} * 784 + k]) / 255.0f);
        labels.push_back(classes[8 + order[i]]);
    }
    follow("fashion", images, labels);
}
