// SPDX-License-Identifier: MIT
// Random numbers: moments and quantiles of each distribution, probabilities of choices, permutations; gamma numbers and their slopes
// compared with SciPy and with differences.
#include <support/tensor.hpp>

#include <xgrad/ops/gamma_draws.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr std::int64_t draws = 20000;

struct moments {
    double mean = 0, variance = 0, least = 1e300, most = -1e300;
};
template<class R>
moments of(R const& r) {
    moments m;
    for (double v : r) {
        m.mean += v / static_cast<double>(r.size());
        m.least = std::min(m.least, v);
        m.most = std::max(m.most, v);
    }
    for (double v : r) m.variance += (v - m.mean) * (v - m.mean) / static_cast<double>(r.size());
    return m;
}
// Within five standard errors of the mean, and 10 % of the variance.
void check_moments(moments const& m, double mean, double variance) {
    CHECK(std::abs(m.mean - mean) < 5 * std::sqrt(variance / static_cast<double>(draws)));
    CHECK(m.variance == doctest::Approx(variance).epsilon(0.1));
}
}

TEST_CASE("moments of the distributions") {
    constexpr auto x = xg::input<"x", float, batch>;
    constexpr auto p = xg::input<"p", double, batch>;
    constexpr auto w = xg::variable<"w", float>;
    xg::variables v{w};
    v.store().seed = 11;
    xg::function f{xg::outputs(xg::exponential_like<"e">(x), xg::gumbel_like<"g">(x), xg::logistic_like<"l">(x), xg::laplace_like<"p">(x),
                       xg::truncated_normal_like<"t">(x), xg::bernoulli<"b">(p), xg::integers_like<"i", -3, 4>(x), w),
        v};
    auto const [e, g, l, la, t, b, i, unused] = f(x = test::tensor<float>({draws}), p = test::tensor<double>({draws}, 0.3));
    double const pi2 = 9.8696044010893586;
    check_moments(of(e), 1, 1);
    CHECK(of(e).least >= 0);
    check_moments(of(g), 0.57721566490153286, pi2 / 6);
    check_moments(of(l), 0, pi2 / 3);
    check_moments(of(la), 0, 2);
    check_moments(of(t), 0, 0.77374);
    CHECK(of(t).most <= 2);
    CHECK(of(t).least >= -2);
    check_moments(of(b), 0.3, 0.21);
    check_moments(of(i), 0, 4);
    CHECK(of(i).least == -3);
    CHECK(of(i).most == 3);
    for (double v1 : b) CHECK((v1 == 0 || v1 == 1));
}

TEST_CASE("choices of classes: probabilities of softmax, none of -inf; relaxed choices") {
    constexpr auto logits = xg::input<"logits", float, batch, 4>;
    constexpr auto w = xg::variable<"w", float>;
    xg::variables v{w};
    v.store().seed = 12;
    xg::function f{
        xg::outputs(xg::categorical<"c">(logits), xg::gumbel_softmax<"r">(logits, 0.5_c), xg::log_uniform_like<"k", 6>(logits), w), v};
    test::tensor<float> a({draws, 4});
    float const row[]{0, 1, -std::numeric_limits<float>::infinity(), 2};
    for (std::int64_t k = 0; k < a.size(); ++k) a.data()[k] = row[k % 4];
    auto const [c, relaxed, classes, unused] = f(logits = a);
    double counts[4]{}, total = 1 + std::exp(1) + std::exp(2);
    for (auto k : c) counts[k] += 1.0 / draws;
    CHECK(counts[2] == 0);
    for (int k : {0, 1, 3}) CHECK(counts[k] == doctest::Approx(std::exp(row[k]) / total).epsilon(0.05));
    for (std::int64_t r = 0; r < 50; ++r) {
        float sum = 0;
        for (std::int64_t k = 0; k < 4; ++k) sum += relaxed(r, k);
        CHECK(sum == doctest::Approx(1));
        CHECK(relaxed(r, 2) == 0);
    }
    double found[6]{};
    for (auto k : classes) {
        REQUIRE((k >= 0 && k < 6));
        found[k] += 1.0 / static_cast<double>(classes.size());
    }
    constexpr auto ids = xg::input<"ids", std::int32_t, 6>;
    xg::function probability{xg::log_uniform_probability<6>(ids)};
    std::int32_t const six[]{0, 1, 2, 3, 4, 5};
    auto const expected = probability(ids = six);
    float sum = 0;
    for (int k = 0; k < 6; ++k) {
        CHECK(found[k] == doctest::Approx(expected[k]).epsilon(0.05));
        sum += expected[k];
    }
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("permutations have each number once, a shuffle each row, and its gradient goes back") {
    constexpr auto x = xg::input<"x", float, batch, 2>;
    constexpr auto w = xg::variable<"w", float>;
    xg::variables v{w};
    auto const mixed = xg::shuffle<"s">(x);
    xg::function f{xg::outputs(xg::permutation<"p", 50>(), mixed, xg::gradient_of(xg::sum(mixed * mixed), x).dense, w), v};
    auto const a = test::numbers<float>({20, 2}, 1, 9);
    auto const [order, rows, g, unused] = f(x = a);
    std::vector<std::int32_t> sorted(order.begin(), order.end());
    CHECK(!std::is_sorted(sorted.begin(), sorted.end()));
    std::sort(sorted.begin(), sorted.end());
    for (std::int32_t k = 0; k < 50; ++k) CHECK(sorted[static_cast<std::size_t>(k)] == k);
    int moved = 0;
    for (std::int64_t r = 0; r < 20; ++r) {
        int places = 0;
        for (std::int64_t k = 0; k < 20; ++k) places += rows(k, 0) == a[2 * r] && rows(k, 1) == a[2 * r + 1];
        CHECK(places == 1);
        moved += rows(r, 0) != a[2 * r];
        CHECK(g(r, 0) == 2 * a[2 * r]);
    }
    CHECK(moved > 10);
}

TEST_CASE("the inverse of the gamma distribution, compared with SciPy's gammaincinv, and its slope in alpha") {
    struct row {
        double a, p, x;
    };
    for (row const& r : {row{0.1, 0.01, 6.07304836241e-21}, row{0.1, 0.5, 0.00059339110446}, row{0.5, 0.999, 5.41378308533},
             row{1, 0.3, 0.356674943939}, row{2.5, 1e-10, 0.000161677857312}, row{2.5, 0.75, 3.31283988191}, row{30, 0.02, 19.8497120389},
             row{30, 1 - 1e-9, 75.2403798191}, row{1000, 0.5, 999.666686427}}) {
        double const x = xg::op::gamma_inverse::quantile(r.a, r.p);
        CHECK_MESSAGE(x == doctest::Approx(r.x).epsilon(1e-8), r.a, " ", r.p, " ", x);
        double const h = 1e-5 * r.a,
                     slope = (xg::op::gamma_inverse::quantile(r.a + h, r.p) - xg::op::gamma_inverse::quantile(r.a - h, r.p)) / (2 * h);
        CHECK_MESSAGE(xg::op::gamma_inverse::slope(r.a, x) == doctest::Approx(slope).epsilon(1e-5), r.a, " ", r.p);
    }
    CHECK(std::isnan(xg::op::gamma_inverse::quantile(-1, 0.5)));
    CHECK(xg::op::gamma_inverse::quantile(2, 0) == 0);
}

TEST_CASE("gamma, beta and Dirichlet numbers: moments, and the gradient of a mean") {
    constexpr auto a = xg::input<"a", float, batch>;
    constexpr auto s = xg::input<"s", float, batch, 3>;
    constexpr auto w = xg::variable<"w", float>;
    xg::variables v{w};
    v.store().seed = 13;
    auto const g = xg::gamma_like<"g">(a);
    xg::function f{xg::outputs(g, xg::gradient_of(xg::sum(g), a), xg::beta_like<"b">(a, 2_c * a), xg::dirichlet_like<"d">(s), w), v};
    test::tensor<float> const two({draws}, 2.5f), three({draws, 3}, 2.0f);
    auto const [x, slope, b, d, unused] = f(a = two, s = three);
    check_moments(of(x), 2.5, 2.5);
    check_moments(of(b), 1.0 / 3, (1.0 / 3) * (2.0 / 3) / 8.5);
    check_moments(of(d), 1.0 / 3, (1.0 / 3) * (2.0 / 3) / 7);
    CHECK(of(slope).mean == doctest::Approx(1).epsilon(0.03));   // the mean is alpha
    for (std::int64_t r = 0; r < 20; ++r) CHECK(d(r, 0) + d(r, 1) + d(r, 2) == doctest::Approx(1));
}
