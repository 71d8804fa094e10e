// SPDX-License-Identifier: MIT
// The program of docs/how_to/freeze_layers.md.
// prints: accuracy of the new head 0[.][6-9][0-9], with the body (0[.]9[0-9]|1[.]00)
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto body = xg::tanh(xg::nn::dense<"body", 16>(x));
constexpr auto old_loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::nn::dense<"old_head", 3>(body), y));
constexpr auto logits = xg::nn::dense<"head", 2>(body);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

double accuracy(auto& scores, std::vector<float> const& points, std::vector<std::int32_t> const& labels) {
    auto const z = scores(x = xg::array(points, labels.size(), 2));
    double right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += (z(i, 1) > z(i, 0)) == (labels[i] == 1);
    return right / static_cast<double>(labels.size());
}

int main() {
    std::vector<float> points;
    std::vector<std::int32_t> third, inside;   // two tasks on the same points
    for (int i = 0; i < 300; ++i) {
        float const angle = 0.021f * static_cast<float>(i), radius = static_cast<float>(i * 7 % 20) / 10;
        points.insert(points.end(), {radius * std::cos(angle), radius * std::sin(angle)});
        third.push_back(i / 100);
        inside.push_back(radius < 1);
    }
    {
        auto train = xg::minimize(old_loss, xg::adam{.learning_rate = 0.02});
        train.initialize(xg::glorot_uniform{.seed = 1});
        for (int step = 0; step < 300; ++step) train(x = xg::array(points, 300, 2), y = third);
        xg::save(train, "base.safetensors");
    }

    auto train =
        xg::minimize(loss, xg::param_group<"body/*">(xg::chain(xg::freeze{}, xg::adam{.learning_rate = 0.005})),   // frozen at first
            xg::adam{.learning_rate = 0.05});                                                                      // all others: the head
    train.initialize(xg::glorot_uniform{.seed = 2});
    xg::restore(train, "base.safetensors", xg::variables_as{{"body/w", "body/w"}, {"body/b", "body/b"}});

    xg::function scores{logits, train};
    for (int step = 0; step < 200; ++step) train(x = xg::array(points, 300, 2), y = inside);
    double const head = accuracy(scores, points, inside);

    train.rule<0>().get<xg::freeze>().frozen = 0;   // from now on the body trains, ten times as slowly
    for (int step = 0; step < 600; ++step) train(x = xg::array(points, 300, 2), y = inside);
    std::printf("accuracy of the new head %.2f, with the body %.2f\n", head, accuracy(scores, points, inside));
}
