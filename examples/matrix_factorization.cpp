// SPDX-License-Identifier: MIT
// Ratings of items by users: rating = mean + bias of the user + bias of the item + u . v.
// All of them are in tables, and a step changes only the rows of its batch.
#include <xgrad/data/batches.hpp>
#include <xgrad/metrics/mean.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto user = xg::input<"user", std::int32_t, batch>;
constexpr auto item = xg::input<"item", std::int32_t, batch>;
constexpr auto stars = xg::input<"stars", float, batch>;

constexpr auto user_bias = xg::gather(xg::variable<"user/bias", float, 2000>, user);
constexpr auto item_bias = xg::gather(xg::variable<"item/bias", float, 500>, item);
constexpr auto u = xg::nn::embedding<"user", 2000, 8>(user);   // [batch, 8]
constexpr auto v = xg::nn::embedding<"item", 500, 8>(item);
constexpr auto rating = xg::variable<"mean", float> + user_bias + item_bias + xg::sum<1>(u * v);
constexpr auto square = xg::mean(xg::square(rating - stars));
constexpr auto decay = 1e-3_c * (xg::mean(xg::sum<1>(u * u + v * v)) + xg::mean(xg::square(user_bias) + xg::square(item_bias)));

int main() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    auto const draw = [&](std::size_t n, float scale) {
        std::vector<float> numbers(n);
        for (float& number : numbers) number = scale * normal(random);
        return numbers;
    };
    // users and items as they are, of rank 3, and 60,000 ratings of them with noise of 0.2
    auto const users = draw(2000 * 3, 0.6f), items = draw(500 * 3, 0.6f), of_user = draw(2000, 0.5f), of_item = draw(500, 0.5f);
    std::vector<std::int32_t> who(60'000), what(60'000);
    auto rated = draw(60'000, 0.2f);
    for (std::size_t k = 0; k < rated.size(); ++k) {
        std::size_t const a = random() % 2000, b = random() % 500;
        who[k] = static_cast<std::int32_t>(a), what[k] = static_cast<std::int32_t>(b), rated[k] += 3.5f + of_user[a] + of_item[b];
        for (std::size_t d = 0; d < 3; ++d) rated[k] += users[3 * a + d] * items[3 * b + d];
    }
    // TensorFlow's accumulator begins at 0.1. The gradient is divided by 256 rows, so its square would be negligible in comparison.
    // The run would then end at 0.68 instead of 0.30.
    auto train = xg::minimize(square + decay, xg::adagrad{.learning_rate = 0.1, .initial_accumulator = 1e-8});
    train.initialize(xg::random_normal{.seed = 2, .stddev = 0.1});
    xg::function error{square, train};
    auto const known = [](auto const& all) { return std::span(all).first(54'000); };
    auto const others = [](auto const& all) { return std::span(all).subspan(54'000); };
    xg::batches all{{.size = 256, .seed = 3}, known(who), known(what), known(rated)};
    double test = 0;
    for (int epoch = 1; epoch <= 20; ++epoch) {
        xg::metrics::mean losses;
        for (auto const& [a, b, r] : all) losses.update(train(user = a, item = b, stars = r), r.size());
        test = std::sqrt(error(user = others(who), item = others(what), stars = others(rated)));
        if (epoch % 5 == 0) std::printf("epoch %2d   loss %.4f   error on others %.3f (noise 0.2)\n", epoch, losses.result(), test);
    }
    return test < 0.5 ? 0 : 1;
}
