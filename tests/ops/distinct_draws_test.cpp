// SPDX-License-Identifier: MIT
// Classes drawn without replacement: the exact chances of each class and each place, tries, expected counts, steps, loops.
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/ops/random/distinct_draws.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim some{"some"};

constexpr auto w = xg::variable<"w", float>;

double chance(int k, int classes) { return std::log((k + 2.0) / (k + 1.0)) / std::log(classes + 1.0); }

/// Over all orders of 3 different classes of 6: the chances of a class to be drawn at all, and at the third place; moments of the tries.
struct exact {
    double drawn[6]{}, third[6]{}, tries = 0, square = 0;
    exact() {
        double p[6];
        for (int k = 0; k < 6; ++k) p[k] = chance(k, 6);
        for (int a = 0; a < 6; ++a)
            for (int b = 0; b < 6; ++b)
                for (int c = 0; c < 6; ++c) {
                    if (a == b || a == c || b == c) continue;
                    double const new_b = 1 - p[a], new_c = 1 - p[a] - p[b], q = p[a] * p[b] / new_b * p[c] / new_c;
                    for (int k : {a, b, c}) drawn[k] += q;
                    third[c] += q;
                    double const mean = 1 + 1 / new_b + 1 / new_c;   // of geometric numbers
                    tries += q * mean;
                    square += q * (mean * mean + (1 - new_b) / (new_b * new_b) + (1 - new_c) / (new_c * new_c));
                }
    }
};
}

TEST_CASE("three of six classes have their exact chances, in each place too, and the tries their mean") {
    auto const [ids, tries] = xg::distinct_log_uniform<"d", 6, 3>();
    xg::variables v{w};
    v.store().seed = 5;
    xg::function f{xg::outputs(ids, tries, w), v};
    exact const e;
    constexpr int steps = 20000;
    double drawn[6]{}, first[6]{}, third[6]{}, sum = 0;
    for (int step = 0; step < steps; ++step, ++v.store().steps) {
        auto const [id, tried, unused] = f();
        REQUIRE(std::set<std::int32_t>(id.begin(), id.end()).size() == 3);
        REQUIRE(tried >= 3);
        for (std::int32_t k : id) {
            REQUIRE((k >= 0 && k < 6));
            drawn[k] += 1.0 / steps;
        }
        first[id[0]] += 1.0 / steps;
        third[id[2]] += 1.0 / steps;
        sum += static_cast<double>(tried) / steps;
    }
    auto const close = [](double found, double p) { return std::abs(found - p) < 4.5 * std::sqrt(p * (1 - p) / steps); };
    for (int k = 0; k < 6; ++k) {
        CAPTURE(k);
        CHECK(close(drawn[k], e.drawn[k]));
        CHECK(close(first[k], chance(k, 6)));
        CHECK(close(third[k], e.third[k]));
    }
    CHECK(std::abs(sum - e.tries) < 4.5 * std::sqrt((e.square - e.tries * e.tries) / steps));
}

TEST_CASE("a call repeats its draws, another step or seed has others; the first tries are log_uniform_like's") {
    auto const [ids, tries] = xg::distinct_log_uniform<"d", 50, 8>();
    xg::variables v{w};
    xg::function f{
        xg::outputs(ids, tries, xg::log_uniform_like<"d", 50>(xg::broadcast_to<8>(xg::constant<double, 0>), xg::nn::shared), w), v};
    xg::function alone{xg::outputs(ids, tries)};
    std::set<std::vector<std::int32_t>> different;
    bool with_repetition = false, without = false;
    for (v.store().seed = 0; v.store().seed < 2; ++v.store().seed)
        for (int step = 0; step < 20; ++step) {
            v.store().steps = step;
            auto const [id, tried, first, unused] = f();
            std::vector<std::int32_t> const found(id.begin(), id.end());
            std::int64_t const count = tried;
            std::vector<std::int32_t> begin;
            for (std::int32_t k : first)
                if (std::find(begin.begin(), begin.end(), k) == begin.end()) begin.push_back(k);
            CHECK(std::equal(begin.begin(), begin.end(), found.begin()));
            CHECK((count == 8) == (begin.size() == 8));
            (count == 8 ? without : with_repetition) = true;
            different.insert(found);
            auto const [again, same, unused1, unused2] = f();
            CHECK((std::equal(found.begin(), found.end(), again.begin()) && same == count));
        }
    CHECK((with_repetition && without));
    CHECK(different.size() == 40);
    auto const [one, count] = alone();
    std::vector<std::int32_t> const kept(one.begin(), one.end());
    auto const [two, same] = alone();
    CHECK((std::equal(kept.begin(), kept.end(), two.begin()) && count == same));
}

TEST_CASE("all classes: each is drawn once, one class in one try") {
    auto const [ids, tries] = xg::distinct_log_uniform<"all", 300, 300>();
    auto const [one, at_once] = xg::distinct_log_uniform<"one", 1, 1>();
    auto const [few, few_tries] = xg::distinct_log_uniform<"few", 2147483647, 2>();
    xg::function f{xg::outputs(ids, tries, one, at_once, few, few_tries, xg::log_uniform_expected_count<1, 1>(one, at_once),
        xg::log_uniform_expected_count<300, 300>(ids, tries))};
    auto const [id, tried, first, single, large, large_tries, certain, counts] = f();
    std::vector<std::int32_t> sorted(id.begin(), id.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::int32_t k = 0; k < 300; ++k) CHECK(sorted[static_cast<std::size_t>(k)] == k);
    CHECK(tried > 600);
    CHECK((first[0] == 0 && single == 1 && certain[0] == 1));
    CHECK((large[0] >= 0 && large[1] >= 0 && large[0] != large[1] && large_tries >= 2));
    for (float c : counts) CHECK((c > 0 && c <= 1));
}

TEST_CASE("many draws, whose places in the hash table collide, are different") {
    auto const [ids, tries] = xg::distinct_log_uniform<"many", 5000, 500>();
    xg::variables v{w};
    xg::function f{xg::outputs(ids, tries, w), v};
    for (int step = 0; step < 30; ++step, ++v.store().steps) {
        auto const [id, tried, unused] = f();
        std::set<std::int32_t> const different(id.begin(), id.end());
        CHECK((different.size() == 500 && *different.begin() >= 0 && *different.rbegin() < 5000 && tried > 500));
    }
}

TEST_CASE("expected counts are TensorFlow's") {
    constexpr auto ids = xg::input<"ids", std::int64_t, some>;
    constexpr auto tries = xg::input<"tries", std::int64_t>;
    xg::function f{
        xg::outputs(xg::log_uniform_expected_count<10, 4, double>(ids, tries), xg::log_uniform_expected_count<10, 4>(ids, tries))};
    auto const K = test::list<std::int64_t>({0, 1, 3, 9});
    // ExpectedCountHelper of core/kernels/range_sampler.cc with p = log((k + 2) / (k + 1)) / log(11), to 17 digits: 7 tries, then 4.
    double const seven[]{0.90820690546732255, 0.72655481744197554, 0.49527327338222380, 0.24716753330873700},
        four[]{1.15625930527155144, 0.67636833469375345, 0.37223235534185568, 0.15898972884349001};
    for (bool repeated : {true, false}) {
        auto const [y, z] = f(ids = K, tries = repeated ? std::int64_t{7} : std::int64_t{4});
        for (std::size_t k = 0; k < 4; ++k) {
            double const expected = repeated ? seven[k] : four[k];
            CHECK(y[static_cast<std::int64_t>(k)] == doctest::Approx(expected).epsilon(1e-14));
            CHECK(z[static_cast<std::int64_t>(k)] == doctest::Approx(expected).epsilon(1e-6));
        }
    }
    // a rare class keeps its digits in float, where 1 - p is 1
    xg::function rare{xg::log_uniform_expected_count<100000000, 64>(ids, tries)};
    auto const last = test::list<std::int64_t>({99999999});
    double const p = std::log1p(1e-8) / std::log(100000001.0);
    CHECK(rare(ids = last, tries = std::int64_t{70})[0] == doctest::Approx(70 * p).epsilon(1e-5));
}

namespace {
constexpr auto table = xg::input<"table", double, 9, 2>;
constexpr auto start = xg::input<"start", double>;
constexpr auto rows = xg::input<"rows", double, some, 2>;
struct sampled : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const [ids, tries] = xg::distinct_log_uniform<"in a loop", 9, 4>();
        return xg::carry(xg::tanh(before + xg::sum(xg::gather(table, ids) * row) / xg::cast<double>(tries))).emit(ids);
    }
};
}

TEST_CASE("a loop draws once, before its iterations; a body that runs again for its gradient reads the same draws") {
    auto const [kept, drawn] = xg::scan<sampled>(xg::carry(start), rows);
    auto const [again, drawn_again] = xg::scan<xg::recompute<sampled>>(xg::carry(start), rows);
    auto const parts = std::get<0>(xg::scan<xg::gradient_checkpoints<sampled, 3>>(xg::carry(start), rows));
    xg::function f{xg::outputs(drawn, drawn_again, kept, again, parts, xg::gradient_of(kept, table).dense,
        xg::gradient_of(again, table).dense, xg::gradient_of(parts, table).dense, xg::gradient_of(kept, rows))};
    auto const [ids, ids_again, y, y2, y3, g, g2, g3, of_rows] =
        f(table = test::numbers<double>({9, 2}, -1, 1, 2), start = 0.25, rows = test::numbers<double>({7, 2}, -1, 1, 3));
    std::set<std::vector<std::int32_t>> different;
    for (int n = 0; n < 7; ++n) different.emplace(ids.data() + 4 * n, ids.data() + 4 * n + 4);
    CHECK(different.size() == 1);
    for (int i = 0; i < 28; ++i) CHECK(ids.data()[i] == ids_again.data()[i]);
    CHECK((y == doctest::Approx(y2).epsilon(1e-14) && y == doctest::Approx(y3).epsilon(1e-14)));
    double size = 0;
    for (int i = 0; i < 18; ++i) {
        CHECK((g.data()[i] == doctest::Approx(g2.data()[i]).epsilon(1e-13) && g.data()[i] == doctest::Approx(g3.data()[i]).epsilon(1e-13)));
        size += std::abs(g.data()[i]);
    }
    CHECK((size > 0.01 && of_rows.size() == 14));
}
