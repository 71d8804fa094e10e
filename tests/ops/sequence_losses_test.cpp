// SPDX-License-Identifier: MIT
// CTC losses against TensorFlow, conditional random fields against all paths and JAX, both decoders, long rows against plain loops.
#include <support/reference.hpp>
#include <xgrad/ops/sequences/crf.hpp>
#include <xgrad/ops/sequences/ctc.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::tensor_view;

std::vector<double> const& numbers(std::string const& name) {
    static auto const r = test::read_reference("sequence_losses.txt");
    REQUIRE_MESSAGE(r.count(name) == 1, name);
    return r.at(name);
}
template<class T>
std::vector<T> as(std::vector<double> const& x) {
    std::vector<T> r(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) r[i] = static_cast<T>(x[i]);
    return r;
}
void check_near(auto const& found, std::vector<double> const& wanted, double tolerance) {
    REQUIRE(static_cast<std::size_t>(found.size()) == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto const y = static_cast<double>(*(found.data() + i));
        bool const near = y == wanted[i] || std::abs(y - wanted[i]) <= tolerance * std::max(1.0, std::abs(wanted[i]));
        CHECK_MESSAGE(near, i, ": ", y, " ", wanted[i]);
    }
}
double noise(std::size_t i) { return std::sin(static_cast<double>(i * i % 1009) * 0.7 + static_cast<double>(i)); }
template<class T>
tensor_view<T const, 1> row_of(std::vector<T> const& x) {
    return {x.data(), {static_cast<std::int64_t>(x.size())}};
}
using memory = std::vector<std::max_align_t>;
constexpr std::size_t scratch_units = 4096;
xg::kernel_part rows_from(memory& scratch, std::int64_t first, std::int64_t last, bool* bad = nullptr) {
    auto const at = (reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64;
    return {first, last, reinterpret_cast<std::byte*>(at), bad};
}

// ---- CTC
template<class T>
struct ctc {
    std::int64_t batch, time, classes, longest;
    std::vector<T> logits, g;
    std::vector<std::int32_t> labels, turns, lengths;
    std::vector<T> loss, slopes;
    bool refused = false;

    void run(xg::op::ctc_attributes how) {
        auto const b = static_cast<std::size_t>(batch), t = static_cast<std::size_t>(time);
        std::int64_t const states = 2 * longest + 1;
        std::vector<T> alpha(b * t * static_cast<std::size_t>(states)), norms(b * t), log_p(b);
        memory scratch(scratch_units, std::max_align_t{});
        loss.assign(b, T(7));
        slopes.assign(logits.size(), T(7));
        bool bad = false;
        tensor_view<T const, 3> const x(logits.data(), {batch, time, classes});
        tensor_view<std::int32_t const, 2> const y(labels.data(), {batch, longest});
        for (std::int64_t row = 0; row < batch; ++row)   // in parts
            xg::op::ctc_loss::run(how, rows_from(scratch, row, row + 1, &bad), x, y, row_of(turns), row_of(lengths),
                tensor_view<T, 1>(loss.data(), {batch}), tensor_view<T, 3>(alpha.data(), {batch, time, states}),
                tensor_view<T, 2>(norms.data(), {batch, time}), tensor_view<T, 1>(log_p.data(), {batch}));
        CHECK(bad == refused);
        xg::op::ctc_gradient::run(how, rows_from(scratch, 0, batch), x, y, row_of(turns), row_of(lengths),
            tensor_view<T const, 3>(alpha.data(), {batch, time, states}), tensor_view<T const, 2>(norms.data(), {batch, time}),
            row_of(log_p), row_of(g), tensor_view<T, 3>(slopes.data(), {batch, time, classes}));
    }
};
std::vector<std::int32_t> const some_labels{1, 2, 2, 3, 4, 1, -1, 99, 2, 0, 0, 0, 3, 3, 3, 0, 1, 1, 0, 0}, label_lengths{4, 2, 0, 3, 2},
    turns_of_rows{8, 5, 3, 8, 3};
template<class T>
ctc<T> tensorflow_case() {
    return {5, 8, 6, 4, as<T>(numbers("ctc.logits")), as<T>(numbers("ctc.weights")), some_labels, turns_of_rows, label_lengths, {}, {}};
}
/// The loss of one row by sums of probabilities in double, for a blank of 0.
template<class T>
double plain_ctc(T const* logits, std::int64_t n, std::int64_t classes, std::int32_t const* label, std::int64_t length) {
    std::vector<double> a(static_cast<std::size_t>(2 * length + 1)), next(a.size());
    for (std::int64_t t = 0; t < n; ++t) {
        double sum = 0;
        for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(logits[t * classes + c]));
        for (std::size_t s = 0; s < a.size(); ++s) {
            std::int32_t const k = s % 2 == 0 ? 0 : label[s / 2];
            double before = t == 0 ? (s < 2 ? 1 : 0) : a[s] + (s > 0 ? a[s - 1] : 0);
            if (t > 0 && s % 2 == 1 && s >= 3 && label[s / 2] != label[s / 2 - 1]) before += a[s - 2];
            next[s] = before * std::exp(static_cast<double>(logits[t * classes + k])) / sum;
        }
        std::swap(a, next);
    }
    return -std::log(a.back() + (a.size() > 1 ? a[a.size() - 2] : 0));
}
}   // namespace

TEST_CASE_TEMPLATE("ctc losses and gradients are those of TensorFlow", T, float, double) {
    auto c = tensorflow_case<T>();
    c.run({0, false, false});
    check_near(c.loss, numbers("ctc.first"), 1e-5);
    check_near(c.slopes, numbers("ctc.first.slope"), 2e-5);
    for (auto& k : c.labels) k = std::max(k - 1, 0);
    c.run({5, true, false});
    check_near(c.loss, numbers("ctc.last"), 1e-5);
    check_near(c.slopes, numbers("ctc.last.slope"), 2e-5);
}
TEST_CASE_TEMPLATE("a ctc loss without a path is infinite or 0, and has no gradient", T, float, double) {
    auto c = tensorflow_case<T>();
    c.turns = {4, 1, 0, 4, 0};   // row 0 needs a blank between equal labels; row 2 has neither labels nor turns
    c.lengths = {4, 2, 0, 3, 2};
    c.run({0, false, false});
    T const inf = std::numeric_limits<T>::infinity();
    CHECK(c.loss == std::vector<T>{inf, inf, 0, inf, inf});
    CHECK(c.slopes == std::vector<T>(c.slopes.size()));
    c.run({0, true, false});
    CHECK(c.loss == std::vector<T>(5));
    c.refused = true;
    c.labels[2] = 0;   // the blank
    c.run({0, true, false});
}
TEST_CASE_TEMPLATE("ctc losses of long rows are those of plain sums, with any number of states", T, float, double) {
    std::int64_t const classes = 9;
    for (std::int64_t length : {0, 1, 7, 8, 15, 16, 23}) {
        ctc<T> c{1, 2 * length + 9, classes, length + 1, {}, {T(-1.5)}, {}, {}, {static_cast<std::int32_t>(length)}, {}, {}};
        c.turns = {static_cast<std::int32_t>(c.time - 1)};
        for (std::int64_t i = 0; i < c.time * classes; ++i)
            c.logits.push_back(
                i < (c.time - 1) * classes ? static_cast<T>(3 * noise(static_cast<std::size_t>(i))) : std::numeric_limits<T>::quiet_NaN());
        for (std::int64_t i = 0; i <= length; ++i) c.labels.push_back(static_cast<std::int32_t>(1 + i * i % 3 * (i % 5) % 8));
        c.run({0, false, false});
        auto const plain = [&] { return plain_ctc(c.logits.data(), c.time - 1, classes, c.labels.data(), length); };
        check_near(c.loss, {plain()}, sizeof(T) == 4 ? 2e-6 : 1e-13);
        for (std::size_t i = 0; i < c.logits.size(); i += 7) {
            if (i >= static_cast<std::size_t>((c.time - 1) * classes)) CHECK(c.slopes[i] == T(0));
            else {
                T const x = c.logits[i], h = T(1) / 64;
                c.logits[i] = x + h;
                double const above = plain();
                c.logits[i] = x - h;
                double const below = plain();
                c.logits[i] = x;
                CHECK(std::abs(static_cast<double>(c.slopes[i]) + 1.5 * (above - below) * 32) < 3e-4);
            }
        }
    }
}
TEST_CASE("a greedy path is that of TensorFlow") {
    auto const logits = as<float>(numbers("ctc.logits"));
    std::vector<std::int32_t> labels(40), lengths(5);
    std::vector<float> score(5);
    for (bool first : {true, false})
        for (bool merge : {true, false}) {
            std::string const name = first ? "ctc.first" : "ctc.last";
            xg::op::ctc_greedy_decode::run({first ? 0 : 5, merge, false}, {0, 5, nullptr, nullptr},
                tensor_view<float const, 3>(logits.data(), {5, 8, 6}), row_of(turns_of_rows),
                tensor_view<std::int32_t, 2>(labels.data(), {5, 8}), tensor_view<std::int32_t, 1>(lengths.data(), {5}),
                tensor_view<float, 1>(score.data(), {5}));
            check_near(labels, numbers(name + ".decoded" + (merge ? "1" : "0")), 0);
            check_near(score, numbers(name + ".score"), 1e-6);
            for (std::size_t b = 0; b < 5; ++b)
                for (std::size_t t = 0; t < 8; ++t) CHECK((labels[b * 8 + t] >= 0) == (t < static_cast<std::size_t>(lengths[b])));
        }
}

// ---- conditional random fields
TEST_CASE_TEMPLATE("log-likelihoods, gradients and best paths of conditional random fields", T, float, double) {
    for (std::string const name : {"crf", "wide"}) {
        auto const inputs = as<T>(numbers(name + ".inputs")), transitions = as<T>(numbers(name + ".transitions")),
                   g = as<T>(numbers(name + ".weights"));
        auto const tags = as<std::int64_t>(numbers(name + ".tags"));
        auto const lengths = as<std::int32_t>(numbers(name + ".lengths"));
        auto const batch = static_cast<std::int64_t>(lengths.size()), time = static_cast<std::int64_t>(tags.size()) / batch,
                   k = static_cast<std::int64_t>(inputs.size()) / batch / time;
        std::vector<T> y(lengths.size()), alpha(inputs.size()), of_inputs(inputs.size()), by_row(static_cast<std::size_t>(batch * k * k)),
            scores(y);
        std::vector<std::int32_t> path(tags.size());
        memory scratch(scratch_units, std::max_align_t{});
        bool bad = false;
        tensor_view<T const, 3> const x(inputs.data(), {batch, time, k});
        tensor_view<T const, 2> const m(transitions.data(), {k, k});
        tensor_view<std::int64_t const, 2> const tag(tags.data(), {batch, time});
        for (std::int64_t b = 0; b < batch; ++b)
            xg::op::crf_log_likelihood::run(rows_from(scratch, b, b + 1, &bad), x, m, tag, row_of(lengths),
                tensor_view<T, 1>(y.data(), {batch}), tensor_view<T, 3>(alpha.data(), {batch, time, k}));
        CHECK(!bad);
        double const tolerance = sizeof(T) == 4 ? 2e-4 : 1e-8;
        check_near(y, numbers(name + ".y"), tolerance);
        xg::op::crf_gradient::run(rows_from(scratch, 0, batch), x, m, tag, row_of(lengths),
            tensor_view<T const, 3>(alpha.data(), {batch, time, k}), row_of(g), tensor_view<T, 3>(of_inputs.data(), {batch, time, k}),
            tensor_view<T, 3>(by_row.data(), {batch, k, k}));
        std::vector<T> of_transitions(transitions.size());
        for (std::size_t i = 0; i < by_row.size(); ++i) of_transitions[i % of_transitions.size()] += by_row[i];
        check_near(of_inputs, numbers(name + ".of_inputs"), tolerance);
        check_near(of_transitions, numbers(name + ".of_transitions"), tolerance);
        xg::op::crf_decode::run(rows_from(scratch, 0, batch), x, m, row_of(lengths),
            tensor_view<std::int32_t, 2>(path.data(), {batch, time}), tensor_view<T, 1>(scores.data(), {batch}));
        check_near(path, numbers(name + ".best"), 0);
        check_near(scores, numbers(name + ".scores"), tolerance);
    }
}

// ---- programs
namespace {
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"steps"};
template<class T>
constexpr auto x = xg::input<"x", T, batch, steps, 6>;
template<class T>
constexpr auto w = xg::input<"w", T, 6, 6>;
constexpr auto labels = xg::input<"labels", std::int64_t, batch, 4>;
constexpr auto tags = xg::input<"tags", std::int8_t, batch, steps>;
constexpr auto turns = xg::input<"turns", std::int32_t, batch>;
constexpr auto lengths = xg::input<"lengths", std::uint8_t, batch>;
}
TEST_CASE_TEMPLATE("the gradients of both losses agree with finite differences", T, float, double) {
    auto const logits = as<T>(numbers("ctc.logits"));
    std::vector<T> const matrix(logits.begin() + 50, logits.begin() + 86);
    std::vector<std::int64_t> const given(some_labels.begin(), some_labels.end());
    std::vector<std::int8_t> tag(40);
    for (std::size_t i = 0; i < 40; ++i)
        tag[i] = i % 8 < static_cast<std::size_t>(turns_of_rows[i / 8]) ? static_cast<std::int8_t>(i * i % 6) : std::int8_t{-7};
    std::vector<std::uint8_t> const counts(label_lengths.begin(), label_lengths.end());
    constexpr auto seen = xg::matmul(xg::tanh(x<T>), w<T>);
    constexpr auto loss = xg::mean(xg::ctc_loss(seen, labels, turns, lengths)) - xg::mean(xg::crf_log_likelihood(x<T>, tags, turns, w<T>));
    auto const of_x = xg::array(logits.data(), 5, 8, 6);
    auto const report = xg::check_gradients(loss, xg::wrt(x<T>, w<T>), x<T> = of_x, w<T> = xg::array(matrix.data(), 6, 6),
        labels = xg::array(given.data(), 5, 4), tags = xg::array(tag.data(), 5, 8), turns = turns_of_rows, lengths = counts);
    CHECK_MESSAGE(report, report.message);
    if constexpr (sizeof(T) == 8) {
        xg::function f{xg::outputs(loss, std::get<0>(xg::crf_decode(x<T>, w<T>, turns)), std::get<1>(xg::ctc_greedy_decode(x<T>, turns)))};
        auto const run = [&] {
            return f(x<T> = of_x, w<T> = xg::array(matrix.data(), 6, 6), labels = xg::array(given.data(), 5, 4),
                tags = xg::array(tag.data(), 5, 8), turns = turns_of_rows, lengths = counts);
        };
        auto const [value, path, found] = run();
        CHECK(value > 0);
        CHECK(path(2, 3) == 0);
        CHECK(found[0] == 4);
        tag[9] = 6;
        CHECK_THROWS_AS(run(), xg::value_error);
    }
}
