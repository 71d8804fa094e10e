// SPDX-License-Identifier: MIT
// An embedding whose table gives the logits too: values, gradients of both uses, a step.
#include <xgrad/nn/multi_head_attention.hpp>
#include <xgrad/nn/tied_logits.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 3>;
constexpr auto next = xg::input<"next", std::int32_t, batch, 3>;
constexpr auto words = xg::nn::embedding<"words", 7, 4, double>(ids);
constexpr auto hidden = xg::tanh(words + xg::nn::position_embedding<"positions", 5>(words));
constexpr auto logits = xg::nn::tied_logits(hidden, words);   // [batch, 3, 7]
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, next));
}

TEST_CASE("an embedding whose table gives the logits") {
    auto train = xg::minimize(xg::outputs(loss, hidden, logits), xg::gradient_descent{.learning_rate = 0.5});
    train.initialize(xg::random_uniform{.seed = 2, .range = 1});
    std::vector<std::int32_t> const a{0, 1, 2, 2, 6, 6}, b{1, 2, 3, 6, 6, 0};
    CHECK(xg::check_gradients(loss, xg::wrt(words.table), train, ids = xg::array(a, 2, 3), next = xg::array(b, 2, 3)).ok);
    auto const table = train.value(words.table);
    std::vector<double> const before(table.begin(), table.end());
    auto const [first, h, y] = train(ids = xg::array(a, 2, 3), next = xg::array(b, 2, 3));
    for (std::int64_t row = 0; row < 6; ++row)
        for (std::int64_t k = 0; k < 7; ++k) {
            double sum = 0;
            for (std::int64_t j = 0; j < 4; ++j) sum += h[4 * row + j] * before[static_cast<std::size_t>(4 * k + j)];
            CHECK(y[7 * row + k] == doctest::Approx(sum));
        }
    double const start = first;
    double last = start;
    for (int k = 0; k < 20; ++k) last = std::get<0>(train(ids = xg::array(a, 2, 3), next = xg::array(b, 2, 3)));
    CHECK(last < start);
}
