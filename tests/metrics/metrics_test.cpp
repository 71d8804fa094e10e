// SPDX-License-Identifier: MIT
// Metrics: ties, shapes, element types, what there is before the first batch, what is thrown, and that nothing has changed then.
#include <support/message_of.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/metrics/metrics.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;
namespace metrics = xgrad::metrics;

namespace {

using floats = std::vector<float>;
using ints = std::vector<int>;
float const no_number = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();

template<class Error, class Metric, class... A>
std::string refusal(Metric& m, A const&... a) {
    return test::message_of<Error>([&] { m.update(a...); });
}

}   // namespace

TEST_CASE("of equal numbers the first one is the largest") {
    floats const rows{1, 1, 0, 2, 3, 3};
    auto const x = xg::array(rows, 2, 3);
    metrics::accuracy a, b;
    a.update(x, ints{0, 1});
    CHECK(a.result() == 1);
    b.update(x, ints{1, 2});
    CHECK(b.result() == 0);
    metrics::top_k_accuracy two(2);
    two.update(x, ints{1, 2});
    CHECK(two.result() == 1);
    two.update(x, ints{2, 0});
    CHECK(two.result() == 0.5);
    metrics::confusion_matrix m(3);
    m.update(x, ints{2, 2});
    CHECK(m.result()(2, 0) == 1);
    CHECK(m.result()(2, 1) == 1);
    CHECK(m.result()(0, 2) == 0);
}
TEST_CASE("a threshold is not above itself; logits have the threshold 0") {
    metrics::binary_accuracy half, logits(0);
    half.update(floats{0.5f, 0.75f, 0.25f, 0.75f}, ints{0, 1, 1, 0});
    CHECK(half.result() == 0.5);
    logits.update(floats{-infinite, 0, 1e-30f, infinite}, ints{0, 0, 1, 1});
    CHECK(logits.result() == 1);
    logits.reset();
    logits.update(floats{-1, 3}, ints{1, 1});   // the threshold stays
    CHECK(logits.result() == 0.5);
}
TEST_CASE("the area under the curve: order, ties, infinite predictions") {
    metrics::roc_auc a;
    a.update(floats{-infinite, 1, 2, infinite}, ints{0, 0, 1, 1});
    CHECK(a.result() == 1);
    a.update(floats{2}, ints{0});   // as large as one of the ones
    CHECK(a.result() == 5.5 / 6);
    CHECK(a.result() == 5.5 / 6);
    a.reset();
    a.update(floats{3, 3, 3}, ints{1, 0, 1});
    CHECK(a.result() == 0.5);
    a.update(floats{4}, ints{0});
    CHECK(a.result() == 0.25);
    a.update(floats{1}, ints{0});   // smaller than all before
    CHECK(a.result() == 0.5);
}
TEST_CASE("before the first batch, and of one class alone") {
    metrics::roc_auc area;
    CHECK(std::isnan(area.result()));
    area.update(floats{1, 2}, ints{1, 1});
    CHECK(std::isnan(area.result()));
    CHECK(std::isnan(metrics::mean().result()));
    CHECK(std::isnan(metrics::accuracy().result()));
    CHECK(std::isnan(metrics::binary_accuracy().result()));
    CHECK(std::isnan(metrics::log_loss().result()));
    CHECK(std::isnan(metrics::confusion_matrix(2).accuracy()));
    CHECK(metrics::precision_recall().result().f1 == 0);
    metrics::accuracy none;
    none.update(xg::array(static_cast<float const*>(nullptr), 0, 3), ints{});
    CHECK(std::isnan(none.result()));
}
TEST_CASE("element types and shapes: halves, truth values, more axes") {
    std::vector<xg::bfloat16> p;
    for (float v : {0.25f, 0.75f, 0.875f, 0.125f}) p.emplace_back(v);
    bool const y[2][2]{{false, true}, {false, true}};
    metrics::precision_recall s;
    s.update(xg::array(p, 4, 1), y);
    CHECK(s.result().precision == 0.5);
    CHECK(s.result().recall == 0.5);
    metrics::accuracy a;
    a.update(xg::array(p, 2, 1, 2), xg::array(ints{1, 0}.data(), 2, 1));
    CHECK(a.result() == 1);
    metrics::confusion_matrix m(2);
    m.update(xg::array(p, 2, 2), std::vector<std::uint8_t>{1, 1});
    CHECK(m.result()(1, 1) == 1);
    CHECK(m.result()(1, 0) == 1);
}
TEST_CASE("a weight of 0 leaves out what is infinite") {
    metrics::mean m;
    m.update(floats{infinite, 3}, ints{0, 2});
    CHECK(m.result() == 3);
    m.update(infinite);
    CHECK(m.result() == infinite);
}
TEST_CASE("two classes: what is refused changes nothing") {
    auto const check = [](auto m, std::string const& name) {
        m.update(floats{0.25f, 0.75f, 0.5f}, ints{0, 1, 1});
        auto const same = [kept = m](auto now) {   // of what comes now and of what comes later
            auto before = kept;
            for (int k = 0; k < 2; ++k) {
                CHECK((now.result() == before.result()));
                now.update(floats{0.75f, 0.125f}, ints{1, 0});
                before.update(floats{0.75f, 0.125f}, ints{1, 0});
            }
        };
        std::string const begin = "xgrad: metrics::" + name + ": ";
        CHECK(refusal<xg::shape_error>(m, floats{1, 0}, ints{1}) == begin + "there are 2 predictions and 1 labels");
        CHECK(refusal<xg::value_error>(m, floats{1, 0, no_number}, ints{0, 1, 1}) == begin + "prediction 2 is nan, expected is a number");
        CHECK(refusal<xg::value_error>(m, floats{1, 0}, ints{0, 2}) == begin + "label 1 is 2, expected is 0 or 1");
        CHECK(refusal<xg::value_error>(m, floats{1, 0}, floats{0, 0.5f}) ==
              begin + "label 1 is 0.5, expected is 0 or 1; predictions come first, then labels");
        same(m);
    };
    check(metrics::binary_accuracy(), "binary_accuracy");
    check(metrics::precision_recall(), "precision_recall");
    check(metrics::roc_auc(), "roc_auc");
    check(metrics::log_loss(), "log_loss");
    metrics::log_loss loss;
    CHECK(refusal<xg::value_error>(loss, floats{1, 1.5f}, ints{0, 1}) ==
          "xgrad: metrics::log_loss: prediction 1 is 1.5, expected is a probability, 0 to 1 (of logits take the sigmoid first)");
    CHECK(refusal<xg::value_error>(loss, floats{-0.25f}, ints{0}) ==
          "xgrad: metrics::log_loss: prediction 0 is -0.25, expected is a probability, 0 to 1 (of logits take the sigmoid first)");
    CHECK(std::isnan(loss.result()));
}
TEST_CASE("a flat array of predictions, a threshold that is none") {
    metrics::accuracy m;
    CHECK(refusal<xg::shape_error>(m, floats(6), ints{0, 1})
              .ends_with("and 2 labels; give their extents: xgrad::array(pointer, rows, classes)"));
    CHECK_THROWS_AS(metrics::binary_accuracy{no_number}, xg::value_error);
    CHECK_THROWS_AS(metrics::precision_recall{no_number}, xg::value_error);
}
TEST_CASE("several classes: what is refused changes nothing") {
    floats const rows{1, 2, 3, 3, 2, 1}, bad{1, 2, 3, 3, no_number, 1};
    auto const x = xg::array(rows, 2, 3), with_nan = xg::array(bad, 2, 3);
    auto const check = [&](auto m, std::string const& name) {
        m.update(x, ints{2, 1});
        auto const state = [&m] {
            if constexpr (requires { m.accuracy(); }) return std::vector<std::int64_t>(m.result().begin(), m.result().end());
            else return m.result();
        };
        auto const before = state();
        std::string const begin = "xgrad: metrics::" + name + ": ";
        CHECK(refusal<xg::shape_error>(m, x, ints{0, 1, 2}) == begin + "there are predictions for 2 rows, of 3 classes, and 3 labels");
        CHECK(refusal<xg::shape_error>(m, 1.0f, ints{0}) == begin + "the predictions need a last axis, of the classes");
        CHECK(refusal<xg::value_error>(m, with_nan, ints{0, 1}) == begin + "prediction 4 is nan, expected is a number");
        CHECK(refusal<xg::value_error>(m, x, ints{0, 3}) == begin + "label 1 is 3, expected is a class from 0 to 2");
        CHECK(refusal<xg::value_error>(m, x, ints{2, -1}) == begin + "label 1 is -1, expected is a class from 0 to 2");
        CHECK(state() == before);
        return m;
    };
    check(metrics::accuracy(), "accuracy");
    auto top = check(metrics::top_k_accuracy(2), "top_k_accuracy");
    CHECK(refusal<xg::value_error>(top, xg::array(rows, 6, 1), ints(6)) ==
          "xgrad: metrics::top_k_accuracy: k is 2, and the predictions have 1 classes");
    CHECK_THROWS_AS(metrics::top_k_accuracy(0), xg::value_error);
    auto matrix = check(metrics::confusion_matrix(3), "confusion_matrix");
    std::string const begin = "xgrad: metrics::confusion_matrix: ";
    CHECK(refusal<xg::shape_error>(matrix, xg::array(rows, 3, 2), ints(3)) == begin + "the predictions have 2 classes, expected are 3");
    CHECK(refusal<xg::shape_error>(matrix, ints(3), ints(2)) == begin + "there are 3 predictions and 2 labels");
    CHECK(refusal<xg::value_error>(matrix, ints{0, 3}, ints{0, 1}) == begin + "prediction 1 is 3, expected is a class from 0 to 2");
    CHECK(refusal<xg::value_error>(matrix, ints{0, 1}, ints{0, 3}) == begin + "label 1 is 3, expected is a class from 0 to 2");
    CHECK(test::message_of<xg::value_error>([&] { matrix.of(3); }) == begin + "there is no class 3 among 3");
    CHECK_THROWS_AS(metrics::confusion_matrix(0), xg::value_error);
    CHECK(matrix.accuracy() == 0.5);
}
TEST_CASE("means and layouts: what is refused changes nothing") {
    metrics::mean m;
    m.update(floats{1, 2});
    CHECK(refusal<xg::shape_error>(m, floats{1, 2, 3}, floats{1, 2}) == "xgrad: metrics::mean: there are 3 values and 2 weights");
    CHECK(refusal<xg::value_error>(m, floats{1, no_number}) == "xgrad: metrics::mean: value 1 is nan, expected is a number");
    CHECK(refusal<xg::value_error>(m, floats{1, 2}, floats{1, -1}) ==
          "xgrad: metrics::mean: weight 1 is -1, expected is finite and not negative");
    CHECK(refusal<xg::value_error>(m, floats{1, 2}, infinite) ==
          "xgrad: metrics::mean: weight 0 is inf, expected is finite and not negative");
    CHECK(m.result() == 1.5);
    struct gaps {
        floats elements = floats(8);
        float const* data() const { return elements.data(); }
        std::vector<std::int64_t> shape() const { return {2, 2}; }
        std::vector<std::int64_t> strides() const { return {4, 2}; }
    };
    CHECK(refusal<xg::binding_error>(m, gaps()) ==
          "xgrad: metrics::mean: the values are not contiguous and row-major; copy them to a row-major container first, for "
          "example with xt::eval");
}
namespace {
std::vector<std::string> heard;   // of warning_handler
struct listening {
    void (*before)(char const*) = xg::warning_handler;
    listening() {
        heard.clear();
        xg::warning_handler = [](char const* text) { heard.emplace_back(text); };
    }
    ~listening() { xg::warning_handler = before; }
};
}   // namespace
TEST_CASE("early stopping in the wrong direction is heard") {
    listening const all;
    auto const run = [](metrics::early_stopping& stop, std::initializer_list<double> values) {
        for (double const v : values) stop.update(v);
        return stop.should_stop();
    };
    metrics::early_stopping loss{{.patience = 2}}, accuracy{{.patience = 2, .higher_is_better = true}},
        late{{.patience = 1, .start_from_epoch = 2}};
    CHECK(run(loss, {1, .5, .75, .875}));   // once better
    CHECK(run(accuracy, {.5, .75, .625, .625}));
    loss.reset();
    CHECK(run(loss, {.5, .75, no_number}));
    loss.reset();
    CHECK(run(loss, {.5, .75, .5}));
    CHECK(heard.empty());
    loss.reset();
    CHECK(run(loss, {.5, .75, .625, .875}));   // an accuracy
    REQUIRE(heard.size() == 1);                // once
    CHECK(heard[0] == "metrics::early_stopping: all values are higher than the first; if higher is better, as of an accuracy, write "
                      ".higher_is_better = true");
    accuracy.reset();
    CHECK(run(accuracy, {.5, .25, .125}));
    REQUIRE(heard.size() == 2);
    CHECK(heard[1] == "metrics::early_stopping: all values are lower than the first; if lower is better, remove .higher_is_better");
    CHECK(run(late, {9, 8, .5, .75}));
    CHECK(heard.size() == 3);
}
TEST_CASE("early stopping ends where Keras' does") {
    listening const all;
    std::ifstream in(XGRAD_TEST_DATA "/early_stopping.txt");
    int cases = 0;
    for (std::string line; std::getline(in, line); ++cases) {
        INFO(line);
        std::istringstream words(line);
        auto const number = [&] {
            std::string word;
            words >> word;
            return std::strtod(word.c_str(), nullptr);   // reads nan too
        };
        metrics::early_stopping_options options;
        options.patience = static_cast<int>(number());
        options.min_delta = number();
        options.higher_is_better = number() != 0;
        if (double const baseline = number(); !std::isnan(baseline)) options.baseline = baseline;
        options.start_from_epoch = static_cast<int>(number());
        std::string bar;
        words >> bar;
        int const stopped = static_cast<int>(number()), best_epoch = static_cast<int>(number());
        double const best = number();
        words >> bar;
        metrics::early_stopping stop(options);
        int epoch = 0, ended = -1;
        for (std::string word; ended < 0 && words >> word; ++epoch) {
            bool const improved = stop.update(std::strtod(word.c_str(), nullptr));
            CHECK(improved == (stop.best_epoch() == epoch));
            if (stop.should_stop()) ended = epoch;
        }
        CHECK(ended == stopped);
        CHECK(stop.best_epoch() == best_epoch);
        if (best_epoch >= 0) CHECK(stop.best() == best);
    }
    CHECK(cases == 192);
    metrics::early_stopping stop;
    CHECK(!stop.update(no_number));
    CHECK(stop.best_epoch() == -1);
    std::string const begin = "xgrad: metrics::early_stopping: ";
    auto const refused = [](metrics::early_stopping_options const& o) {
        return test::message_of<xg::value_error>([&] { metrics::early_stopping const never(o); });
    };
    CHECK(refused({.patience = -1}) == begin + "patience is -1; it must be 0 or more epochs");
    CHECK(refused({.min_delta = -0.5}) == begin + "min_delta is -0.5; it must be finite and not negative");
    CHECK(refused({.baseline = no_number}) == begin + "baseline is nan; it must be finite");
    CHECK(refused({.start_from_epoch = -2}) == begin + "start_from_epoch is -2; it must be 0 or more");
}
