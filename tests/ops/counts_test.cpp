// SPDX-License-Identifier: MIT
// Counts compared with SciPy's inverse distributions, tests/reference/curves.py. Moments and gradients of numbers with parameters.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/random/counts.hpp>
#include <xgrad/ops/random/parameters.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
using counts = xg::op::count_inverse;

template<class R>
double mean_of(R const& r) {
    double sum = 0;
    for (double v : r) sum += v;
    return sum / static_cast<double>(r.size());
}
}

TEST_CASE("counts are those of SciPy at the same uniform numbers") {
    auto const all = test::read_reference("curves.txt");
    auto const &u = all.at("u"), &rates = all.at("rates"), &trials = all.at("trials"), &chances = all.at("chances");
    auto const &poisson = all.at("poisson"), &binomial = all.at("binomial");
    std::size_t i = 0;
    for (double const rate : rates)
        for (double const v : u) {
            CAPTURE(rate);
            CAPTURE(v);
            CHECK(counts::poisson(rate, v) == poisson[i++]);
        }
    i = 0;
    for (double const n : trials)
        for (double const chance : chances)
            for (double const v : u) {
                CAPTURE(n);
                CAPTURE(chance);
                CAPTURE(v);
                CHECK(counts::binomial(n, chance, v) == binomial[i++]);
            }
    CHECK(counts::poisson(0, 0.9) == 0);
    CHECK(std::isnan(counts::poisson(-1, 0.5)));
    CHECK(std::isnan(counts::poisson(std::numeric_limits<double>::infinity(), 0.5)));
    CHECK(std::isnan(counts::poisson(std::nan(""), 0.5)));
    CHECK(counts::poisson(1e9, 0.5) == doctest::Approx(1e9).epsilon(1e-8));
    CHECK(counts::binomial(0, 0.5, 0.5) == 0);
    CHECK(counts::binomial(7.5, 1, 0.5) == 7);
    CHECK(counts::binomial(7, 0, 0.5) == 0);
    CHECK(std::isnan(counts::binomial(-1, 0.5, 0.5)));
    CHECK(std::isnan(counts::binomial(3, 1.5, 0.5)));
    CHECK(counts::binomial(1e9, 0.25, 0.5) == doctest::Approx(2.5e8).epsilon(1e-6));
}

TEST_CASE("moments of numbers with parameters, and gradients of the parameters") {
    constexpr auto rate = xg::input<"rate", float, batch>;
    constexpr auto chance = xg::input<"chance", float, batch>;
    constexpr auto low = xg::input<"low", double, batch>;
    constexpr auto high = xg::input<"high", double, batch>;
    constexpr auto k = xg::input<"k", double, batch>;
    constexpr auto m = xg::input<"m", double, batch, 2>;
    constexpr auto l = xg::input<"l", double, 2, 2>;
    constexpr auto w = xg::variable<"w", float>;
    xg::variables v{w};
    v.store().seed = 3;
    constexpr auto t = xg::truncated_normal_like<"t">(low, high);
    constexpr auto b = xg::weibull_like<"w">(k);
    constexpr auto n = xg::multivariate_normal_like<"m">(m, l);
    xg::function f{xg::outputs(xg::poisson_like<"p">(rate), xg::binomial_like<"b">(10_c, chance), t, b, xg::cauchy_like<"c">(k), n,
                       xg::gradient_of(xg::sum(t), low), xg::gradient_of(xg::sum(t), high), xg::gradient_of(xg::sum(b), k),
                       xg::gradient_of(xg::sum(n), m), w),
        v};
    constexpr std::int64_t draws = 20000;
    double const inf = std::numeric_limits<double>::infinity();
    test::tensor<double> L({2, 2});
    L[0] = 2, L[2] = 1, L[3] = 0.5;
    auto const call = [&](double from, double to) {
        return f(rate = test::tensor<float>({draws}, 3.5f), chance = test::tensor<float>({draws}, 0.3f),
            low = test::tensor<double>({draws}, from), high = test::tensor<double>({draws}, to), k = test::tensor<double>({draws}, 2),
            m = test::tensor<double>({draws, 2}, 1), l = L);
    };
    auto const r = call(0.5, 2);
    CHECK(mean_of(std::get<0>(r)) == doctest::Approx(3.5).epsilon(0.02));
    CHECK(mean_of(std::get<1>(r)) == doctest::Approx(3).epsilon(0.02));
    CHECK(mean_of(std::get<2>(r)) == doctest::Approx((0.35206532676 - 0.05399096651) / (0.9772498681 - 0.6914624613)).epsilon(0.01));
    CHECK(mean_of(std::get<3>(r)) == doctest::Approx(std::sqrt(3.14159265358979) / 2).epsilon(0.02));
    std::int64_t below = 0;   // −1, the first quartile
    double covariance = 0;
    for (std::int64_t i = 0; i < draws; ++i) {
        below += std::get<4>(r)[i] < -1;
        covariance += (std::get<5>(r)[2 * i] - 1) * (std::get<5>(r)[2 * i + 1] - 1) / draws;
        double const x = std::get<2>(r)[i], y = std::get<3>(r)[i];
        // at the same uniform number: the distribution times (1 − u) or u moves with the bounds
        double const u = (std::erf(x / std::sqrt(2.0)) - std::erf(0.5 / std::sqrt(2.0))) /
                         (std::erf(2 / std::sqrt(2.0)) - std::erf(0.5 / std::sqrt(2.0)));
        REQUIRE((x >= 0.5 && x <= 2));
        CHECK(std::get<6>(r)[i] == doctest::Approx((1 - u) * std::exp((x * x - 0.25) / 2)).epsilon(1e-6));
        CHECK(std::get<7>(r)[i] == doctest::Approx(u * std::exp((x * x - 4) / 2)).epsilon(1e-6));
        CHECK(std::get<8>(r)[i] == doctest::Approx(-y * std::log(y * y) / 4).epsilon(1e-6));
        CHECK(std::get<9>(r)[2 * i] == 1);
    }
    CHECK(static_cast<double>(below) / draws == doctest::Approx(0.25).epsilon(0.05));
    CHECK(covariance == doctest::Approx(2).epsilon(0.05));
    auto const of_draws = [&](double from, double to) { return std::get<2>(call(from, to)); };
    auto const tail = of_draws(30, inf);
    CHECK(mean_of(tail) == doctest::Approx(30.0333).epsilon(1e-3));
    for (double e : tail) REQUIRE(e >= 30);
    auto const left = of_draws(-inf, -35);
    CHECK(mean_of(left) == doctest::Approx(-35.0285).epsilon(1e-3));
    for (double e : left) REQUIRE(e <= -35);
    auto const whole = call(-inf, inf);
    CHECK(std::abs(mean_of(std::get<2>(whole))) < 0.04);
    for (std::int64_t i = 0; i < draws; ++i) REQUIRE((std::get<6>(whole)[i] == 0 && std::get<7>(whole)[i] == 0));
}
