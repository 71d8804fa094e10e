// SPDX-License-Identifier: MIT
// Losses over drawn classes: TensorFlow's numbers for given candidates, draws of each kind by a loop over them, gradients of rows alone.
#include <ops/from_tensorflow.hpp>

#include <xgrad/nn/sampled_losses.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::known;
inline constexpr xg::dim batch{"batch"}, draws{"draws"};

constexpr auto w = xg::input<"w", double, 11, 3>;
constexpr auto b = xg::input<"b", double, 11>;
constexpr auto h = xg::input<"h", double, batch, 3>;
constexpr auto two = xg::input<"two", std::int64_t, batch, 2>;
constexpr auto two_counts = xg::input<"two_counts", double, batch, 2>;
constexpr auto candidates = xg::input<"candidates", std::int32_t, draws>;
constexpr auto counts = xg::input<"counts", double, draws>;
constexpr auto one = xg::squeeze<1>(xg::slice<1, 0, 1>(two));
constexpr auto one_counts = xg::squeeze<1>(xg::slice<1, 0, 1>(two_counts));

/// The sum of losses times 1, 2, ... as in the file.
constexpr auto total(auto y) {
    return xg::sum(y * xg::cast<double>(1_c + xg::detail::positions_along<xg::make_shape<batch>().extents[0]>{}));
}
}

TEST_CASE("losses of given candidates are TensorFlow's") {
    constexpr auto removed = xg::nn::sampled_softmax_loss(w, b, h, one, candidates, one_counts, counts);
    constexpr auto kept = xg::nn::sampled_softmax_loss(w, b, h, two, candidates, two_counts, counts, xg::nn::keep_accidental_hits);
    constexpr auto nce = xg::nn::nce_loss(w, b, h, one, candidates, one_counts, counts);
    constexpr auto nce_removed = xg::nn::nce_loss(w, b, h, two, candidates, two_counts, counts, xg::nn::remove_accidental_hits);
    constexpr auto run = [](auto... y) {
        return xg::function{xg::outputs(y..., xg::gradient_of(total(y), w).dense..., xg::gradient_of(total(y), b).dense...,
            xg::gradient_of(total(y), h)...)}(w = known<double>("sampled.w", {11, 3}), b = known<double>("sampled.b", {11}),
            h = known<double>("sampled.h", {4, 3}), two = known<std::int64_t>("sampled.labels", {4, 2}),
            two_counts = known<double>("sampled.counts", {4, 2}), candidates = known<std::int32_t>("sampled.candidates", {6}),
            counts = known<double>("sampled.candidate_counts", {6}));
    };
    std::vector<std::string> names;
    for (char const* operand : {"", ".w", ".b", ".h"})
        for (char const* loss : {"softmax1_removed", "softmax2", "nce1", "nce2_removed"})
            names.push_back(std::string("sampled.") + loss + operand);
    from_tensorflow::compare_all(names, run(removed, kept, nce, nce_removed), 1e-9);
}

TEST_CASE("a row of time steps, a true class that is drawn twice, and candidates that are no input") {
    constexpr auto steps = xg::input<"steps", double, 2, 2, 3>;
    constexpr auto labels = xg::input<"labels", std::int32_t, 2, 2>;
    constexpr auto loss = xg::nn::sampled_softmax_loss(w, b, steps, labels, candidates, xg::cast<double>(labels) + 1_c, counts);
    constexpr auto all = xg::matmul<false, true>(steps, w) + b;
    auto const table = known<double>("sampled.w", {11, 3}), bias = known<double>("sampled.b", {11});
    auto const X = test::numbers<double>({2, 2, 3}, -1, 1, 3), P = test::numbers<double>({5}, 0.5, 3, 4);
    auto const L = test::list<std::int32_t>({7, 0, 2, 7}), C = test::list<std::int32_t>({7, 2, 5, 7, 10});
    auto const [y, logits] = xg::function{xg::outputs(loss, all)}(
        steps = X, labels = xg::array(L.data(), 2, 2), w = table, b = bias, candidates = C, counts = P);
    for (std::int64_t row = 0; row < 4; ++row) {
        auto const truth = L[row];
        double const own = logits[row * 11 + truth] - std::log(truth + 1.0);
        double sum = std::exp(own);
        for (std::int64_t k = 0; k < 5; ++k)
            if (C[k] != truth) sum += std::exp(logits[row * 11 + C[k]]) / P[k];
        CHECK(y[row] == doctest::Approx(std::log(sum) - own).epsilon(1e-12));
    }
    auto const r =
        xg::check_gradients(xg::sum(xg::square(loss)) + xg::sum(xg::square(xg::gradient_of(xg::sum(loss), steps))), xg::wrt(w, b, steps),
            {.tolerance = 1e-6}, steps = X, labels = xg::array(L.data(), 2, 2), w = table, b = bias, candidates = C, counts = P);
    CHECK_MESSAGE(r.ok, r.message);
    auto const wrong = test::list<std::int32_t>({7, 2, 5, 11, 10});
    xg::function f{loss};
    CHECK_THROWS_AS(f(steps = X, labels = xg::array(L.data(), 2, 2), w = table, b = bias, candidates = wrong, counts = P), xg::value_error);
}

TEST_CASE("drawn classes: only their rows and those of the labels move, and the full softmax is learned") {
    constexpr auto words = xg::variable<"words", float, 40, 4>;
    constexpr auto biases = xg::variable<"biases", float, 40>;
    constexpr auto x = xg::input<"x", float, batch, 4>;
    constexpr auto labels = xg::input<"labels", std::int32_t, batch>;
    constexpr auto loss = xg::mean(xg::nn::sampled_softmax_loss<"draws", 3>(words, biases, x, labels)) +
                          xg::mean(xg::nn::nce_loss<"noise", 2>(words, biases, x, labels));
    constexpr auto g = xg::gradient_of(loss, words);
    constexpr auto of_biases = xg::gradient_of(loss, biases);
    static_assert(xg::value_of<decltype(g.values)>.dims.rank == 2 && xg::value_of<decltype(of_biases.values)>.dims.rank == 1);
    auto train =
        xg::minimize(xg::outputs(loss, g.indices, xg::matmul<false, true>(x, words) + biases), xg::gradient_descent{.learning_rate = 0.5});
    train.initialize(xg::random_uniform{.seed = 4, .range = 1});
    auto const X = test::numbers<float>({6, 4}, -1, 1, 8);
    auto const L = test::list<std::int32_t>({1, 38, 20, 1, 7, 39});
    auto const cost = [&](auto const& logits) {
        double sum = 0;
        for (std::int64_t row = 0; row < 6; ++row) {
            double total_of_row = 0;
            for (std::int64_t k = 0; k < 40; ++k) total_of_row += std::exp(static_cast<double>(logits(row, k)));
            sum += std::log(total_of_row) - static_cast<double>(logits(row, L[row]));
        }
        return sum;
    };
    double first = 0, last = 0;
    for (int step = 0; step < 400; ++step) {
        std::vector<float> before, after;
        for (float e : train.value(words)) before.push_back(e);
        auto const [y, named, logits] = train(x = X, labels = L);
        (step == 0 ? first : last) = cost(logits);
        if (step > 3) continue;
        CHECK(named.size() == 6 + 3 + 2);
        for (float e : train.value(words)) after.push_back(e);
        for (std::size_t row = 0; row < 40; ++row) {
            bool const moved = !std::equal(&before[row * 4], &before[row * 4] + 4, &after[row * 4]);
            bool const expected = std::find(named.begin(), named.end(), static_cast<std::int32_t>(row)) != named.end();
            CHECK((!moved || expected));
        }
        for (auto label : L) CHECK(std::find(named.begin(), named.end(), label) != named.end());
    }
    CHECK(last < 0.5 * first);
}

namespace {
constexpr auto by_hand = xg::input<"by_hand", std::int32_t, batch>;
/// The losses over the ids of one draw in `tries` tries, with TensorFlow's expected counts, and the gradients of their sum.
struct hand_written {
    double loss[6]{}, of_w[33]{}, of_b[11]{}, of_h[18]{};
    template<class Ids>
    hand_written(double const* W, double const* B, double const* H, std::int32_t const* labels, Ids const& ids, double tries, bool softmax,
        bool keeps_hits) {
        auto const draws = static_cast<double>(ids.size());
        auto const logit_of = [&](int row, std::int32_t k) {
            double const p = std::log((k + 2.0) / (k + 1.0)) / std::log(12.0);
            double const count = tries == draws ? draws * p : -std::expm1(tries * std::log1p(-p));
            double sum = B[k] - std::log(count);
            for (int c = 0; c < 3; ++c) sum += H[3 * row + c] * W[3 * k + c];
            return sum;
        };
        for (int row = 0; row < 6; ++row) {
            std::vector<std::int32_t> classes{labels[row]};
            for (std::int32_t k : ids)
                if (keeps_hits || k != labels[row]) classes.push_back(k);
            double total = 0;
            for (std::int32_t k : classes) total += std::exp(logit_of(row, k));
            if (softmax) loss[row] = std::log(total) - logit_of(row, labels[row]);
            for (std::size_t n = 0; n < classes.size(); ++n) {
                std::int32_t const k = classes[n];
                double const z = logit_of(row, k), label = n == 0 ? 1 : 0;
                if (!softmax) loss[row] += std::log1p(std::exp(z)) - label * z;
                double const slope = (softmax ? std::exp(z) / total : 1 / (1 + std::exp(-z))) - label;
                of_b[k] += slope;
                for (int c = 0; c < 3; ++c) {
                    of_w[3 * k + c] += slope * H[3 * row + c];
                    of_h[3 * row + c] += slope * W[3 * k + c];
                }
            }
        }
    }
};
/// Whether `loss` of draws by the stream "d" has the numbers of the hand-written loop, in several steps.
template<std::int64_t Draws, bool Softmax, bool KeepsHits, class Loss>
void compare_with_loop(Loss const& loss) {
    auto const [ids, tries] = xg::distinct_log_uniform<"d", 11, Draws>();
    constexpr auto unread = xg::variable<"unread", double>;
    xg::variables v{unread};
    xg::function f{xg::outputs(loss, xg::gradient_of(xg::sum(loss), w).dense, xg::gradient_of(xg::sum(loss), b).dense,
                       xg::gradient_of(xg::sum(loss), h), ids, tries, unread),
        v};
    auto const W = test::numbers<double>({11, 3}, -1, 1, 3), B = test::numbers<double>({11}, -1, 1, 4),
               H = test::numbers<double>({6, 3}, -1, 1, 5);
    auto const L = test::list<std::int32_t>({0, 10, 3, 1, 0, 6});
    std::set<std::int64_t> tried;
    for (int step = 0; step < 8; ++step, ++v.store().steps) {
        auto const [y, of_w, of_b, of_h, drawn, count, none] = f(w = W, b = B, h = H, by_hand = L);
        hand_written const e(W.data(), B.data(), H.data(), L.data(), drawn, static_cast<double>(count), Softmax, KeepsHits);
        tried.insert(count);
        REQUIRE(std::set<std::int32_t>(drawn.begin(), drawn.end()).size() == Draws);
        auto const same = [](auto const& found, double const* expected) {
            for (std::int64_t i = 0; i < found.size(); ++i) CHECK(found.data()[i] == doctest::Approx(expected[i]).epsilon(1e-11).scale(1));
        };
        same(y, e.loss);
        same(of_w, e.of_w);
        same(of_b, e.of_b);
        same(of_h, e.of_h);
    }
    CHECK((tried.size() > 1 && *tried.begin() >= Draws));
}
}

TEST_CASE("drawn classes are different; values and gradients are those of a loop over them") {
    using xg::nn::keep_accidental_hits, xg::nn::remove_accidental_hits;
    compare_with_loop<3, true, false>(xg::nn::sampled_softmax_loss<"d", 3>(w, b, h, by_hand));
    compare_with_loop<11, true, true>(xg::nn::sampled_softmax_loss<"d", 11>(w, b, h, by_hand, keep_accidental_hits));
    compare_with_loop<5, false, true>(xg::nn::nce_loss<"d", 5>(w, b, h, by_hand));
    compare_with_loop<4, false, false>(xg::nn::nce_loss<"d", 4>(w, b, h, by_hand, remove_accidental_hits));
}

TEST_CASE("with replacement the draws are log_uniform_like's, more than there are classes too; tags in any order") {
    using xg::nn::keep_accidental_hits, xg::nn::remove_accidental_hits, xg::nn::with_replacement;
    constexpr auto drawn = xg::log_uniform_like<"r", 11>(xg::broadcast_to<14>(xg::constant<double, 0>));
    constexpr auto counts_of = [](auto const& ids) { return 14_c * xg::log_uniform_probability<11, double>(ids); };
    constexpr auto softmax = xg::nn::sampled_softmax_loss<"r", 14>(w, b, h, by_hand, with_replacement);
    constexpr auto nce = xg::nn::nce_loss<"r", 14>(w, b, h, by_hand, remove_accidental_hits, with_replacement);
    constexpr auto given = xg::nn::sampled_softmax_loss(w, b, h, by_hand, drawn, counts_of(by_hand), counts_of(drawn));
    constexpr auto given_nce = xg::nn::nce_loss(w, b, h, by_hand, drawn, counts_of(by_hand), counts_of(drawn), remove_accidental_hits);
    constexpr auto other = xg::nn::nce_loss<"r", 14>(w, b, h, by_hand, with_replacement, remove_accidental_hits);
    static_assert(std::is_same_v<decltype(nce), decltype(other)>);
    constexpr auto kept = xg::nn::sampled_softmax_loss<"r", 14>(w, b, h, by_hand, with_replacement, keep_accidental_hits);
    constexpr auto given_kept =
        xg::nn::sampled_softmax_loss(w, b, h, by_hand, drawn, counts_of(by_hand), counts_of(drawn), keep_accidental_hits);
    xg::function f{xg::outputs(softmax, given, nce, given_nce, kept, given_kept)};
    auto const r = f(w = test::numbers<double>({11, 3}, -1, 1, 3), b = test::numbers<double>({11}, -1, 1, 4),
        h = test::numbers<double>({6, 3}, -1, 1, 5), by_hand = test::list<std::int32_t>({0, 10, 3, 1, 0, 6}));
    for (std::int64_t row = 0; row < 6; ++row) {
        CHECK(std::get<0>(r)[row] == doctest::Approx(std::get<1>(r)[row]).epsilon(1e-14));
        CHECK(std::get<2>(r)[row] == doctest::Approx(std::get<3>(r)[row]).epsilon(1e-14));
        CHECK(std::get<4>(r)[row] == doctest::Approx(std::get<5>(r)[row]).epsilon(1e-14));
    }
    CHECK(std::get<0>(r)[0] != std::get<4>(r)[0]);
}
