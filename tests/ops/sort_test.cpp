// SPDX-License-Identifier: MIT
// sort and argsort against std::stable_sort; NaN, zeros of both signs and ties; gradients. The simplex, which sorts its rows.
#include <support/tensor.hpp>

#include <xgrad/nn/simplex.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

template<class T>
void check(test::tensor<T> const& in) {
    constexpr auto x = xg::input<"x", T, batch, length>;
    auto const [values, indices] = xg::sort(x);
    xg::function f{xg::outputs(values, indices, xg::argsort(x))};
    auto const [v, i, alone] = f(x = in);
    std::int64_t const rows = in.shape()[0], n = in.shape()[1];
    REQUIRE((v.shape() == std::array<std::int64_t, 2>{rows, n} && i.shape() == v.shape()));
    for (std::int64_t r = 0; r < rows; ++r) {
        std::vector<std::int64_t> at(static_cast<std::size_t>(n));
        std::iota(at.begin(), at.end(), r * n);
        std::stable_sort(at.begin(), at.end(), [&](auto a, auto b) { return in[a] < in[b] || (in[a] == in[a] && in[b] != in[b]); });
        for (std::int64_t k = 0; k < n; ++k) {
            std::int64_t const e = at[static_cast<std::size_t>(k)];
            CHECK(i[r * n + k] == e - r * n);
            CHECK(alone[r * n + k] == e - r * n);
            CHECK((v[r * n + k] == in[e] || (v[r * n + k] != v[r * n + k] && in[e] != in[e])));
        }
    }
}
}

TEST_CASE_TEMPLATE("sort against std::stable_sort", T, float, double, std::int32_t, std::int64_t) {
    for (std::int64_t rows : {0, 1, 3})
        for (std::int64_t n : {0, 1, 2, 16, 17, 100}) check(test::numbers<T>({rows, n}, -9, 9));   // integers have ties
}

TEST_CASE("sort of ties, NaN, infinities and zeros of both signs") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    test::tensor<float> x({4, 6});
    float const rows[4][6]{
        {1, 2, 2, 2, 1, 2}, {nan, 1, nan, inf, -inf, 0}, {-0.0F, 0.0F, -0.0F, 0.0F, -1, -0.0F}, {-inf, -inf, nan, -inf, 0, -inf}};
    for (std::int64_t i = 0; i < x.size(); ++i) x[i] = rows[i / 6][i % 6];
    check(x);
}

TEST_CASE("the gradient of sorted values goes back to where they stood") {
    constexpr auto x = xg::input<"x", double, batch, length>;
    constexpr auto w = xg::input<"w", double, length>;
    auto const [values, indices] = xg::sort(xg::square(x) * x);
    auto const loss = xg::sum(values * values * w);
    auto const both = loss + xg::sum(xg::square(xg::gradient_of(loss, x)));
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(xg::cast<float>(indices)), x))>);
    for (std::int64_t n : {1, 7}) {
        auto const r = xg::check_gradients(both, xg::wrt(x, w), x = test::numbers<double>({3, n}, 0.5, 2), w = test::numbers<double>({n}));
        CHECK_MESSAGE(r.ok, r.message);
    }
    xg::function g{xg::gradient_of(xg::sum(std::get<0>(xg::sort(x)) * w), x)};
    auto const slope = g(x = test::tensor<double>({1, 3}, 5.0), w = test::list({1.0, 2.0, 3.0}));   // ties: in the order of x
    for (std::int64_t i = 0; i < 3; ++i) CHECK(slope[i] == static_cast<double>(i + 1));
}

TEST_CASE_TEMPLATE("the nearest point of the simplex", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch, length>;
    xg::function f{xg::nn::simplex(x)};
    double const rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::int64_t n : {1, 2, 5, 40}) {
        auto in = test::numbers<T>({6, n}, -2, 2);
        for (std::int64_t j = 0; j < n; ++j) {
            in[2 * n + j] = T(3);                                    // ties
            in[3 * n + j] += T(1e6);                                 // far off
            in[4 * n + j] = in[4 * n + j] / T(100 * n) + T(1) / n;   // all stay above 0
        }
        auto const p = f(x = in);
        for (std::int64_t r = 0; r < 6; ++r) {
            double sum = 0, shift = -1e300;   // x - p: the same where p is above 0, and less elsewhere
            for (std::int64_t j = r * n; j < (r + 1) * n; ++j) {
                sum += static_cast<double>(p[j]);
                CHECK(p[j] >= T(0));
                if (p[j] > T(0)) shift = std::max(shift, static_cast<double>(in[j]) - static_cast<double>(p[j]));
            }
            CHECK(std::abs(sum - 1) < 4 * rounding);
            for (std::int64_t j = r * n; j < (r + 1) * n; ++j)
                CHECK(static_cast<double>(in[j]) - static_cast<double>(p[j]) <= shift + 1e-14 * std::abs(shift));
            for (std::int64_t j = r * n; j < (r + 1) * n; ++j)
                if (p[j] > T(0))
                    CHECK(static_cast<double>(in[j]) - static_cast<double>(p[j]) == doctest::Approx(shift).epsilon(2 * rounding));
        }
    }
    T const inf = std::numeric_limits<T>::infinity();
    test::tensor<T> wrong({3, 2}, T(1));
    wrong[1] = inf, wrong[2] = -inf, wrong[5] = inf - inf;
    auto const bad = f(x = wrong);
    for (T const e : bad) CHECK(e != e);
    auto const none = f(x = test::tensor<T>({2, 0}));
    CHECK(none.size() == 0);
}

TEST_CASE("the gradient of the simplex passes where elements are above 0") {
    constexpr auto x = xg::input<"x", double, batch, length>;
    constexpr auto t = xg::input<"t", double, batch, length>;
    auto const r = xg::check_gradients(xg::sum(xg::square(xg::nn::simplex(x) - t)), xg::wrt(x), x = test::numbers<double>({4, 5}, -1, 1),
        t = test::numbers<double>({4, 5}, 0, 1));
    CHECK_MESSAGE(r.ok, r.message);
}
