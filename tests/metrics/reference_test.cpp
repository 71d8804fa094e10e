// SPDX-License-Identifier: MIT
// Metrics against those of scikit-learn (tests/reference/metrics.py), in batches of several sizes.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;

namespace {

class reference {
    std::map<std::string, std::vector<double>> values_;

public:
    reference() {
        std::ifstream in(XGRAD_TEST_DATA "/metrics.txt");
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string name;
            words >> name;
            for (double x; words >> x;) values_[name].push_back(x);
        }
    }
    void compare(std::string const& name, std::vector<double> const& values, double tolerance = 1e-15) const {
        auto const found = values_.find(name);
        REQUIRE_MESSAGE(found != values_.end(), name << " is missing from the reference");
        REQUIRE(found->second.size() == values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            INFO(name << "[" << i << "]: " << values[i] << " against " << found->second[i]);
            CHECK(std::abs(values[i] - found->second[i]) <= tolerance * std::max(1.0, found->second[i]));
        }
    }
    void compare_scores(std::string const& name, xg::metrics::scores const& s) const { compare(name, {s.precision, s.recall, s.f1}); }
};
/// f(first row, number of rows) for batches of sizes 1, 2, 3, ...
template<class F>
void in_batches(std::size_t rows, F const& f) {
    for (std::size_t at = 0, n = 1; at < rows; at += n, ++n) f(at, std::min(n, rows - at));
}
template<class T>
std::vector<T> probabilities(bool ties) {
    std::vector<T> p;
    for (int r = 0; r < 60; ++r) p.push_back(static_cast<T>(ties ? (37 * r + 11) % 16 / 15.0 : (37 * r + 11) % 64 / 64.0));
    return p;
}
/// Of two classes, in any type.
template<class T>
std::vector<T> labels() {
    std::vector<T> y;
    for (int r = 0; r < 60; ++r) y.push_back(static_cast<T>((r * r + 3 * r) % 7 < 3));
    return y;
}
template<class Metric, class P, class L>
auto measure(Metric m, std::vector<P> const& p, std::vector<L> const& y) {
    m.update(std::span(p).first(7), std::span(y).first(7));
    m.reset();   // nothing is left
    in_batches(p.size(), [&](std::size_t at, std::size_t n) { m.update(std::span(p).subspan(at, n), std::span(y).subspan(at, n)); });
    return m.result();
}
reference const expected;

}   // namespace

TEST_CASE("two classes") {
    for (bool const ties : {false, true}) {
        std::string const name = ties ? "ties/" : "plain/";
        auto const p = probabilities<double>(ties);
        auto const single = probabilities<float>(ties);
        expected.compare(name + "roc_auc", {measure(xg::metrics::roc_auc{}, p, labels<int>())});
        expected.compare(name + "roc_auc", {measure(xg::metrics::roc_auc{}, single, labels<float>())});
        expected.compare(name + "log_loss/float64", {measure(xg::metrics::log_loss{}, p, labels<float>())}, 1e-14);
        expected.compare(name + "log_loss/float32", {measure(xg::metrics::log_loss{}, single, labels<std::int64_t>())}, 1e-6);
        for (auto const& [threshold, text] : std::map<double, std::string>{{0.25, "0.25"}, {0.5, "0.5"}, {2, "2"}}) {
            expected.compare(name + "accuracy/" + text, {measure(xg::metrics::binary_accuracy(threshold), p, labels<double>())});
            expected.compare_scores(
                name + "scores/" + text, measure(xg::metrics::precision_recall(threshold), single, labels<unsigned char>()));
        }
        expected.compare(name + "accuracy/0.5", {measure(xg::metrics::binary_accuracy(), single, labels<int>())});
        expected.compare_scores(name + "scores/0.5", measure(xg::metrics::precision_recall(), p, labels<int>()));
    }
}
TEST_CASE("several classes") {
    std::vector<float> rows;
    std::vector<std::int32_t> y, guess;
    for (int r = 0; r < 45; ++r) {
        for (int c = 0; c < 6; ++c) rows.push_back(static_cast<float>(((29 * r + 13) % 96 + 1) * (c + 1) % 97) / 8);
        guess.push_back(static_cast<std::int32_t>(std::max_element(rows.end() - 6, rows.end()) - (rows.end() - 6)));
        y.push_back((3 * r + r / 5) % 5);
    }
    xg::metrics::accuracy right;
    xg::metrics::confusion_matrix matrix(6), of_guesses(6);
    std::vector<xg::metrics::top_k_accuracy> top;
    for (int k : {1, 2, 3, 5}) top.emplace_back(k);
    for (int turn = 0; turn < 2; ++turn) {
        right.reset();
        matrix.reset();
        of_guesses.reset();
        for (auto& t : top) t.reset();
        in_batches(45, [&](std::size_t at, std::size_t n) {
            auto const x = xg::array(rows.data() + 6 * at, n, 6);
            auto const own = std::span(y).subspan(at, n);
            right.update(x, own);
            for (auto& t : top) t.update(x, own);
            matrix.update(x, own);
            of_guesses.update(std::span(guess).subspan(at, n), own);
        });
    }
    expected.compare("classes/accuracy", {right.result()});
    expected.compare("classes/accuracy", {matrix.accuracy()});
    int at = 0;
    for (int k : {1, 2, 3, 5}) expected.compare("classes/top/" + std::to_string(k), {top[static_cast<std::size_t>(at++)].result()});
    expected.compare("classes/confusion", {matrix.result().begin(), matrix.result().end()});
    expected.compare("classes/confusion", {of_guesses.result().begin(), of_guesses.result().end()});
    for (int c = 0; c < 6; ++c) expected.compare_scores("classes/scores/" + std::to_string(c), matrix.of(c));
    expected.compare_scores("classes/macro", matrix.macro());
}
TEST_CASE("a mean with weights, in arrays, for a batch and for a number") {
    auto const p = probabilities<double>(false);
    xg::metrics::mean all, numbers;
    in_batches(60, [&](std::size_t at, std::size_t n) {
        std::vector<int> w;
        for (std::size_t r = at; r < at + n; ++r) w.push_back(static_cast<int>(r % 4));
        all.update(std::span(p).subspan(at, n), w);
    });
    for (std::size_t r = 0; r < 60; ++r) numbers.update(p[r], r % 4);
    expected.compare("mean", {all.result()});
    expected.compare("mean", {numbers.result()});
    xg::metrics::mean two;
    two.update(std::vector<float>{1, 2}, 3);
    two.update(std::vector<float>{10, 20});
    CHECK(two.result() == 39.0 / 8);
}
