// SPDX-License-Identifier: MIT
// A training step that is mostly a large table: 8192 Zipf ids of 1M x 32 are looked up, weighted and summed, and their rows are updated.
// Compared with hand-written code.
#include "frame.hpp"
#include "hand/rules.hpp"

#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cmath>

namespace {
namespace xg = xgrad;
constexpr std::int64_t rows = 1000000, width = 32, count = 8192;
constexpr auto ids = xg::input<"ids", std::int32_t, count>;
constexpr auto values = xg::input<"values", float, count, width>;
constexpr auto table = xg::variable<"table", float, rows, width>;
constexpr auto loss = xg::sum(xg::gather(table, ids) * values);   // so the gradients of the rows are the values

// The sum of the rows of the next batch, each weighted by its gradient.
template<class Hand>
float lookup(hand::row_update<Hand>& hand) {
    std::vector<std::int32_t> const& batch = hand.ids[hand.turn % hand.ids.size()];
    hand::vf sum[width / hand::wf] = {};
    float const* g = hand.gradients.data();
    for (std::size_t k = 0; k < batch.size(); ++k, g += width) {
        if (k + hand.ahead < batch.size())
            for (int e = 0; e < width; e += 16) hand::prefetch(hand.weight(batch[k + hand.ahead]) + e);
        float const* const w = hand.weight(batch[k]);
        for (int c = 0; c < width / hand::wf; ++c) sum[c] += hand::loadf(w + c * hand::wf) * hand::loadf(g + c * hand::wf);
    }
    float all = 0;
    for (auto const& part : sum)
        for (int i = 0; i < hand::wf; ++i) all += part[i];
    return all;
}

template<class Hand, class Rule>
void row(bench::suite& suite, std::string const& title, Rule const& rule) {
    std::string const name = title + ", 8192 Zipf ids of 1M x 32, whole step";
    if (!suite.wanted(name)) return;
    hand::row_update<Hand> hand;
    auto train = xg::minimize(loss, rule);
    train.assign(table, xg::array(hand.weight(0), rows, width));
    std::size_t turn = 0;
    auto const step = [&] {
        auto const& now = hand.ids[turn++ % hand.ids.size()];
        return train(ids = std::span(now), values = xg::array(hand.gradients.data(), count, width));
    };
    auto const by_hand = [&] {
        float const sum = lookup(hand);
        hand.step();
        return sum;
    };
    for (int i = 0; i < 3; ++i) {
        float const a = step(), b = by_hand();
        suite.agree(name, "the loss of step " + std::to_string(i), a, b, 1e-3);
    }
    auto const learned = train.value(table);
    double largest = 0;
    for (std::int64_t i = 0; i < rows * width; ++i) largest = std::max(largest, std::abs(double(learned[i]) - double(hand.weight(0)[i])));
    suite.agree(name, "largest difference of a parameter after 3 steps", largest, 0, 1e-6);
    suite.row(
        name, [&] { bench::keep(step()); }, [&] { bench::keep(by_hand()); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "rows of a table");
    row<hand::adagrad>(suite, "Adagrad", xg::adagrad{.learning_rate = 0.01});
    row<hand::adam>(suite, "lazy Adam", xg::lazy_adam{.learning_rate = 1e-3});
    return suite.finish();
}
