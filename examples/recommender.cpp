// SPDX-License-Identifier: MIT
// Recommends items from ragged histories: bags of embeddings, wrong items drawn with their correction, NDCG. People and items are made up.
// `recommender predict ITEM...` says what goes with these items.
#include <support/plot.hpp>
#include <support/progress.hpp>

#include <xgrad/all.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr int items = 3000, tastes = 30, width = 24, longest = 20, wrong_items = 64;
constexpr auto history = xg::input<"history", std::int32_t, batch, longest>;   // -1 after the last item
constexpr auto next = xg::input<"next", std::int32_t, batch>;
constexpr auto wrong = xg::input<"wrong", std::int32_t, wrong_items>;   // shared by the batch

constexpr auto seen = xg::variable<"seen", float, items, width>;
constexpr auto offered = xg::variable<"offered", float, items, width>;
constexpr auto person = xg::nn::dense<"person", width>(xg::embedding_bag<xg::combiner::sqrtn, -1>(seen, history));

// A softmax over the right item and the wrong ones. Frequent items are drawn often, so their logits are corrected.
constexpr auto right_logit =
    xg::sum<1>(person * xg::gather(offered, next)) - xg::log(64_c * xg::log_uniform_probability<items, float>(next));
constexpr auto wrong_logits =
    xg::matmul<false, true>(person, xg::gather(offered, wrong)) - xg::log(64_c * xg::log_uniform_probability<items, float>(wrong));
constexpr auto hit = xg::equal(xg::expand_dims<1>(next), wrong);   // a right item among the wrong ones is none
constexpr auto logits = xg::concat<1>(xg::expand_dims<1>(right_logit), xg::select(hit, -1e9_c, wrong_logits));
constexpr auto loss = xg::mean(xg::log_sum_exp<1>(logits) - right_logit);

constexpr auto ranking = xg::top_k<10>(xg::matmul<false, true>(person, offered));   // scores and items

/// People with two tastes each. An item belongs to a taste, and small numbers are popular.
struct people {
    std::vector<std::int32_t> histories, nexts;
    explicit people(std::size_t count, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform;
        for (std::size_t p = 0; p < count; ++p) {
            int const liked[2]{static_cast<int>(random() % tastes), static_cast<int>(random() % tastes)};
            int const length = 2 + static_cast<int>(random() % (longest - 1));
            for (int k = 0; k <= longest; ++k) {
                int const rank = static_cast<int>(std::pow(items / tastes, uniform(random))) - 1;   // within the taste
                int const item = rank * tastes + liked[random() % 2];
                (k == longest ? nexts : histories).push_back(k < length || k == longest ? item : -1);
            }
        }
    }
    std::size_t size() const { return nexts.size(); }
};

/// The mean of 1 / log2(1 + place) of the right item in a list of ten, 0 if it is not there.
template<class Lists>
double ndcg(people const& who, Lists const& list) {
    double sum = 0;
    for (std::size_t p = 0; p < who.size(); ++p)
        for (int place = 0; place < 10; ++place)
            if (list(p, place) == who.nexts[p]) sum += 1 / std::log2(place + 2.0);
    return sum / static_cast<double>(who.size());
}

int main(int count, char** arguments) try {
    auto train = xg::minimize(loss, xg::lazy_adam{.learning_rate = 3e-3});
    train.initialize(xg::glorot_uniform{.seed = 1});
    xg::function rank{std::get<1>(ranking), train};
    if (count > 2 && arguments[1] == std::string("predict")) {
        xg::restore(train, "recommender.safetensors", xg::variables_only);
        std::vector<std::int32_t> liked(longest, -1);
        for (int k = 2; k < std::min(count, 2 + longest); ++k) liked[static_cast<std::size_t>(k - 2)] = std::stoi(arguments[k]);
        auto const list = rank(history = xg::array(liked, 1, std::size_t{longest}));
        for (int place = 0; place < 10; ++place) std::printf("item %4d of taste %2d\n", list(0, place), list(0, place) % tastes);
        return 0;
    }
    people const known(80000, 1), fresh(2000, 2);
    xg::log_uniform_sampler sampler(items, 3);
    std::vector<std::int32_t> drawn(wrong_items);

    constexpr int epochs = 4;
    xg::batches all{{.size = 100, .seed = 5}, xg::array(known.histories, known.size(), std::size_t{longest}), known.nexts};
    examples::progress_bar bar(known.size() * epochs, 0, true);
    std::size_t done = 0;
    double reached = 0;
    examples::plot_line curve{.title = "recommender"};
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        xg::metrics::mean losses;
        for (auto const& [histories, nexts] : all) {
            sampler.sample(drawn);
            losses.update(train(history = histories, next = nexts, wrong = drawn));
            bar.update(done += 100, "recommender", losses.result());
        }
        bar.clear();
        auto const lists = rank(history = xg::array(fresh.histories, fresh.size(), std::size_t{longest}));
        reached = ndcg(fresh, [&](std::size_t p, int place) { return lists(static_cast<std::int64_t>(p), place); });
        curve.points.emplace_back(epoch, reached);
        std::printf("epoch %2d   loss %.4f   NDCG@10 of new people %.4f\n", epoch, losses.result(), reached);
    }
    double const popular = ndcg(fresh, [](std::size_t, int place) { return place; });
    std::printf("NDCG@10 of a list of the most popular items: %.4f\n", popular);
    xg::save(train, "recommender.safetensors");
    examples::report_svg("recommender.svg",
        {.title = "NDCG@10 of new people",
            .x_label = "epoch",
            .y_label = "NDCG@10",
            .lines = {
                curve, {.title = "most popular items", .points = {{1, popular}, {epochs, popular}}, .look = examples::plot_look::thin}}});
    return reached > 3 * popular ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "recommender: %s\n", e.what());
    return 1;
}
