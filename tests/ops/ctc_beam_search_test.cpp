// SPDX-License-Identifier: MIT
// Beam search of CTC against TensorFlow and a plain search, against all sequences of classes, and in a program.
#include <support/reference.hpp>
#include <xgrad/ops/sequences/ctc_beam_search.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using xg::tensor_view;

constexpr std::int64_t batch = 6, time_steps = 12, classes = 5, paths = 3;
std::vector<std::int32_t> const steps{12, 7, 1, 2, 12, 9};

/// The logits of tests/reference/ctc_beam_search.py.
template<class T>
std::vector<T> logits(double scale) {
    std::vector<T> r(batch * time_steps * classes);
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] = static_cast<T>(scale * std::sin(static_cast<double>(i * i % 1009) * 0.7 + static_cast<double>(i)));
    return r;
}
template<class T>
struct found {
    std::vector<std::int32_t> labels, lengths;
    std::vector<T> log_probability;
};
template<class T>
found<T> search(
    std::vector<T> const& x, std::vector<std::int32_t> const& n, std::int64_t time, std::int64_t width, xg::op::ctc_beam_attributes how) {
    namespace loops = xg::detail::ctc_beams;
    auto const rows = static_cast<std::int64_t>(n.size());
    auto const bytes = static_cast<std::size_t>(loops::bytes_of_step(how.beams) * time + loops::bytes_of_row(how.beams, width));
    std::vector<std::byte> memory(bytes + 64);
    auto const at = (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64;
    auto const count = static_cast<std::size_t>(rows * how.paths);
    found<T> r{std::vector<std::int32_t>(count * static_cast<std::size_t>(time)), std::vector<std::int32_t>(count), std::vector<T>(count)};
    xg::op::ctc_beam_search::run(how, {0, rows, reinterpret_cast<std::byte*>(at), nullptr},
        tensor_view<T const, 3>(x.data(), {rows, time, width}), tensor_view<std::int32_t const, 1>(n.data(), {rows}),
        tensor_view<std::int32_t, 3>(r.labels.data(), {rows, how.paths, time}),
        tensor_view<std::int32_t, 2>(r.lengths.data(), {rows, how.paths}), tensor_view<T, 2>(r.log_probability.data(), {rows, how.paths}));
    return r;
}
void check_labels(std::vector<std::int32_t> const& labels, std::vector<double> const& wanted) {
    REQUIRE(labels.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(static_cast<double>(labels[i]) == wanted[i]);
}
}

TEST_CASE_TEMPLATE("the sequences of TensorFlow", T, float, double) {
    auto const all = test::read_reference("ctc_beam_search.txt");
    for (int scale : {1, 4})
        for (std::int64_t beams : {3, 8, 60}) {
            std::string const name = "scale" + std::to_string(scale) + ".beams" + std::to_string(beams);
            CAPTURE(name);
            auto const r = search<T>(logits<T>(scale), steps, time_steps, classes, {beams, paths, classes - 1});
            check_labels(r.labels, all.at(name + ".labels"));
            auto const& wanted = all.at(name + ".log_probability");
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                CHECK(static_cast<double>(r.log_probability[i]) == doctest::Approx(wanted[i]).epsilon(sizeof(T) == 4 ? 1e-5 : 1e-12));
                auto const* const row = r.labels.data() + i * time_steps;
                CHECK(r.lengths[i] == std::find(row, row + time_steps, -1) - row);
            }
        }
}

TEST_CASE("enough beams give the probabilities of all sequences") {
    constexpr std::int64_t time = 5, width = 4, blank = 1;
    std::vector<double> x(time * width);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 2 * std::sin(static_cast<double>(3 * i * i + i));
    std::map<std::vector<std::int32_t>, double> chances;
    std::int64_t ways = 1;
    for (std::int64_t t = 0; t < time; ++t) ways *= width;
    for (std::int64_t way = 0; way < ways; ++way) {
        std::vector<std::int32_t> labels;
        double chance = 1;
        std::int64_t before = -1, rest = way;
        for (std::int64_t t = 0; t < time; ++t, rest /= width) {
            std::int64_t const c = rest % width;
            double sum = 0;
            for (std::int64_t k = 0; k < width; ++k) sum += std::exp(x[static_cast<std::size_t>(t * width + k)]);
            chance *= std::exp(x[static_cast<std::size_t>(t * width + c)]) / sum;
            if (c != blank && c != before) labels.push_back(static_cast<std::int32_t>(c));
            before = c;
        }
        chances[labels] += chance;
    }
    auto const count = static_cast<std::int64_t>(chances.size());
    auto const r = search<double>(x, {time}, time, width, {2 * count, 2 * count, blank});
    double last = 0;
    for (std::int64_t k = 0; k < 2 * count; ++k) {
        auto const* const row = r.labels.data() + k * time;
        auto const n = r.lengths[static_cast<std::size_t>(k)];
        double const p = r.log_probability[static_cast<std::size_t>(k)];
        if (k >= count) {
            CHECK(n == 0);
            CHECK(p == -std::numeric_limits<double>::infinity());
            CHECK(row[0] == -1);
        } else {
            CHECK(p == doctest::Approx(std::log(chances.at({row, row + n}))).epsilon(1e-12));
            CHECK((k == 0 || p <= last));
        }
        last = p;
    }
}

TEST_CASE("no time steps, lengths outside of the axis, ties, infinite and undefined logits") {
    std::vector<double> x(2 * 3, 0.0);
    auto const empty = search<double>({}, {0}, 0, 2, {4, 2, 0});
    CHECK(empty.log_probability[0] == 0);
    CHECK(empty.lengths[0] == 0);
    auto const none = search<double>(x, {-3}, 3, 2, {4, 1, 0});
    CHECK(none.log_probability[0] == 0);
    CHECK(none.labels[0] == -1);
    auto const whole = search<double>(x, {9}, 3, 2, {4, 2, 0});   // 1 is in 6 of the 8 sequences of classes, 1 1 in one, none in one
    CHECK(whole.lengths[0] == 1);
    CHECK(whole.log_probability[0] == doctest::Approx(std::log(0.75)));
    CHECK(whole.log_probability[1] == doctest::Approx(std::log(0.125)));
    CHECK(whole.lengths[1] == 0);   // of equal ones the earlier
    double const inf = std::numeric_limits<double>::infinity();
    for (double& v : x) v = -inf;
    x[1] = x[2] = x[5] = 0;   // 1, blank, 1
    auto const sure = search<double>(x, {3}, 3, 2, {3, 1, 0});
    CHECK(sure.log_probability[0] == 0);
    CHECK(sure.lengths[0] == 2);
    for (double& v : x) v = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(search<double>(x, {3}, 3, 2, {3, 1, 0}).log_probability[0]));
}

TEST_CASE("in a program") {
    constexpr xg::dim rows{"rows"};
    constexpr auto x = xg::input<"x", float, rows, time_steps, classes>;
    constexpr auto n = xg::input<"n", std::int32_t, rows>;
    auto const [found_labels, found_lengths, found_probability] =
        xg::ctc_beam_search<xg::ctc_beam_options{.beams = 8, .paths = paths, .blank = -1}>(x, n);
    xg::function f{xg::outputs(found_labels, found_lengths, found_probability)};
    auto const given = logits<float>(1);
    auto const [labels, lengths, log_probability] = f(x = xg::array(given.data(), batch, time_steps, classes), n = steps);
    auto const wanted = search<float>(given, steps, time_steps, classes, {8, paths, classes - 1});
    CHECK(std::equal(wanted.labels.begin(), wanted.labels.end(), labels.data()));
    CHECK(std::equal(wanted.lengths.begin(), wanted.lengths.end(), lengths.data()));
    CHECK(std::equal(wanted.log_probability.begin(), wanted.log_probability.end(), log_probability.data()));
}
