// SPDX-License-Identifier: MIT
// Singular values: NumPy's, tall and wide matrices, first and second derivatives, residuals, edges.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/linalg.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
namespace loops = xg::detail::loops;
inline constexpr xg::dim batch{"batch"};

template<class T>
struct factors {
    std::vector<T> s, u, v;
};
template<class T>
factors<T> factors_of(std::vector<T> const& a, std::size_t m, std::size_t n) {
    factors<T> r{std::vector<T>(n), std::vector<T>(m * n), std::vector<T>(n * n)};
    std::vector<T> work(m * n);
    loops::singular_values(
        a.data(), r.s.data(), r.u.data(), r.v.data(), work.data(), static_cast<std::int64_t>(m), static_cast<std::int64_t>(n));
    return r;
}
/// The largest elements of a - u s vᵀ and uᵀ u - 1.
template<class T>
std::pair<double, double> residuals(std::vector<T> const& a, factors<T> const& f, std::size_t m, std::size_t n) {
    double first = 0, second = 0;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < m; ++i) {
            double sum = -static_cast<double>(a[i * n + j]);
            for (std::size_t k = 0; k < n; ++k)
                sum += static_cast<double>(f.u[i * n + k]) * static_cast<double>(f.s[k]) * static_cast<double>(f.v[j * n + k]);
            first = std::max(first, std::abs(sum));
        }
        for (std::size_t i = 0; i < n; ++i) {
            double sum = i == j ? -1 : 0;
            for (std::size_t k = 0; k < m; ++k) sum += static_cast<double>(f.u[k * n + i]) * static_cast<double>(f.u[k * n + j]);
            second = std::max(second, std::abs(sum));
        }
    }
    return {first, second};
}
}

TEST_CASE_TEMPLATE("residuals, matrices without full rank, NaN", T, float, double) {
    double const exact = static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::int64_t n : {0, 1, 2, 3, 5, 8, 16, 33})
        for (std::int64_t m : {n, n + 4}) {
            CAPTURE(n);
            CAPTURE(m);
            auto const x = test::numbers<T>({m * n}, -1, 1, 3);
            std::vector<T> a(x.begin(), x.end());
            auto const u = static_cast<std::size_t>(n), w = static_cast<std::size_t>(m);
            for (int kind = 0; kind < 3; ++kind) {
                if (kind == 1 && n > 2)
                    for (std::size_t i = 0; i < w; ++i) a[i * u + 2] = a[i * u] + a[i * u + 1];
                if (kind == 2) std::fill(a.begin(), a.end(), T(0));
                auto const f = factors_of(a, w, u);
                auto const [product, orthogonal] = residuals(a, f, w, u);
                CHECK(product <= 40 * exact * static_cast<double>(n + 1));
                CHECK(orthogonal <= 40 * exact * static_cast<double>(n + 1));
                CHECK(std::is_sorted(f.s.rbegin(), f.s.rend()));
            }
        }
    auto const bad = factors_of<T>({T(1), T(2), std::numeric_limits<T>::quiet_NaN(), T(4)}, 2, 2);
    CHECK(std::isnan(bad.s[0]));
    CHECK(std::isnan(bad.u[3]));
}

TEST_CASE("tall and wide matrices against NumPy; derivatives") {
    constexpr auto x = xg::input<"x", double, batch, 7, 4>;
    constexpr auto y = xg::input<"y", double, batch, 3, 5>;
    constexpr auto tall = xg::svd(x);
    constexpr auto wide = xg::svd(y);
    constexpr auto loss = xg::sum(xg::sin(std::get<0>(tall))) + xg::sum(xg::sin(xg::square(std::get<1>(tall)))) +
                          xg::sum(xg::cos(xg::square(std::get<2>(tall)))) + xg::sum(xg::sin(xg::square(std::get<1>(wide)))) +
                          xg::sum(xg::cos(xg::square(std::get<2>(wide))));
    auto const all = test::read_reference("linalg.txt");
    auto const known = [&](std::string const& name) { return all.at(name); };
    auto const X = known("tall"), Y = known("wide");
    xg::function f{xg::outputs(xg::singular_values(x), xg::singular_values(y))};
    auto const [of_tall, of_wide] = f(x = xg::array(X.data(), 2, 7, 4), y = xg::array(Y.data(), 2, 3, 5));
    for (std::size_t i = 0; i < 8; ++i) CHECK(of_tall[static_cast<std::int64_t>(i)] == doctest::Approx(known("tall.s")[i]).epsilon(1e-12));
    for (std::size_t i = 0; i < 6; ++i) CHECK(of_wide[static_cast<std::int64_t>(i)] == doctest::Approx(known("wide.s")[i]).epsilon(1e-12));
    auto const first =
        xg::check_gradients(loss, xg::wrt(x, y), {.tolerance = 1e-7}, x = xg::array(X.data(), 2, 7, 4), y = xg::array(Y.data(), 2, 3, 5));
    CHECK_MESSAGE(first.ok, first.message);
    constexpr auto slope = xg::gradient_of(xg::sum(xg::sin(xg::singular_values(x))), x);
    auto const second = xg::check_gradients(xg::sum(xg::sin(slope)), xg::wrt(x), {.tolerance = 1e-7}, x = xg::array(X.data(), 2, 7, 4));
    CHECK_MESSAGE(second.ok, second.message);
}
