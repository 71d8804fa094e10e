// SPDX-License-Identifier: MIT
// Tridiagonal and banded systems and patches of volumes compared with TensorFlow. tests/reference/from_tensorflow.py.
#include <ops/from_tensorflow.hpp>

#include <xgrad/backend/flush_denormals.hpp>
#include <xgrad/ops/images/volume_patches.hpp>
#include <xgrad/ops/linalg/banded.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
using namespace from_tensorflow;
namespace loops = xg::detail::loops;
constexpr auto d = xg::input<"d", double, 2, 3, 6>;
constexpr auto b = xg::input<"b", double, 2, 6, 2>;
constexpr auto w = xg::input<"w", double, 2, 6, 2>;
template<class Y>
constexpr auto with_slopes(Y const& y) {
    auto const [gd, gb] = xg::gradients(xg::sum(w * y), d, b);
    return std::tuple{y, gd, gb};
}
template<class... T>
constexpr auto all_of(T const&... t) {
    return std::apply([](auto const&... y) { return xg::outputs(y...); }, std::tuple_cat(t...));
}
/// The matrix [n, n] of bands, row-major.
std::vector<double> dense(std::vector<double> const& bands, std::int64_t rows, std::int64_t first, std::int64_t n) {
    std::vector<double> r(static_cast<std::size_t>(n * n));
    for (std::int64_t k = 0; k < rows; ++k)
        for (std::int64_t i = 0; i < n; ++i)
            if (std::int64_t const j = i + first - k; j >= 0 && j < n)
                r[static_cast<std::size_t>(i * n + j)] = bands[static_cast<std::size_t>(k * n + i)];
    return r;
}
/// The largest difference between b and a x, or aᵀ x.
double residual(
    std::vector<double> const& a, bool transposed, double const* x, std::vector<double> const& right, std::int64_t n, std::int64_t k) {
    double worst = 0;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t c = 0; c < k; ++c) {
            double sum = -right[static_cast<std::size_t>(i * k + c)];
            for (std::int64_t j = 0; j < n; ++j) sum += a[static_cast<std::size_t>(transposed ? j * n + i : i * n + j)] * x[j * k + c];
            if (!(std::abs(sum) <= worst)) worst = std::abs(sum);
        }
    return worst;
}
std::vector<double> drawn(std::int64_t n, double low, double high, std::uint64_t seed) {
    auto const x = test::numbers<double>({n}, low, high, seed);
    return {x.begin(), x.end()};
}
}

TEST_CASE("tridiagonal systems and products, and banded triangular systems") {
    constexpr auto lower = xg::triangle::lower, upper = xg::triangle::upper;
    xg::function f{all_of(with_slopes(xg::tridiagonal_solve(d, b)), with_slopes(xg::tridiagonal_solve<true>(d, b)),
        with_slopes(xg::tridiagonal_matmul(d, b)))};
    auto const B = known<double>("bands.b", {2, 6, 2}), W = known<double>("bands.w", {2, 6, 2});
    compare_all({"tridiagonal", "tridiagonal.d", "tridiagonal.b", "tridiagonal_transposed", "tridiagonal_transposed.d",
                    "tridiagonal_transposed.b", "product", "product.d", "product.b"},
        f(d = known<double>("bands.d", {2, 3, 6}), b = B, w = W), 1e-9);
    auto const singular = f(d = test::tensor<double>({2, 3, 6}), b = B, w = W);
    CHECK(std::isnan(std::get<0>(singular).data()[23]));
    CHECK(std::isnan(std::get<3>(singular).data()[0]));
    CHECK(std::get<6>(singular).data()[0] == 0);
    xg::function below{
        all_of(with_slopes(xg::banded_triangular_solve<lower>(d, b)), with_slopes(xg::banded_triangular_solve<lower, true>(d, b)))};
    compare_all({"lower", "lower.d", "lower.b", "lower_transposed", "lower_transposed.d", "lower_transposed.b"},
        below(d = known<double>("bands.lower", {2, 3, 6}), b = B, w = W), 1e-9);
    xg::function above{
        all_of(with_slopes(xg::banded_triangular_solve<upper>(d, b)), with_slopes(xg::banded_triangular_solve<upper, true>(d, b)))};
    compare_all({"upper", "upper.d", "upper.b", "upper_transposed", "upper_transposed.d", "upper_transposed.b"},
        above(d = known<double>("bands.upper", {2, 3, 6}), b = B, w = W), 1e-9);
}

TEST_CASE("loops over bands: all lengths, several columns, singular matrices") {
    for (std::int64_t const n : {0, 1, 2, 3, 5, 17, 40})
        for (std::int64_t const k : {1, 3, 9})
            for (bool const transposed : {false, true}) {
                CAPTURE(n);
                CAPTURE(k);
                auto const bands = drawn(3 * n, -1, 1, 5), right = drawn(n * k, -1, 1, 6);
                auto x = right;
                std::vector<double> u(static_cast<std::size_t>(3 * n));
                REQUIRE(loops::solve_tridiagonal(bands.data(), transposed, u.data(), right.data(), x.data(), n, k));
                CHECK(residual(dense(bands, 3, 1, n), transposed, x.data(), right, n, k) < 1e-10);
                std::vector<double> y(x.size());
                loops::multiply_bands(bands.data(), 3, 1, transposed, x.data(), y.data(), n, k);
                for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == doctest::Approx(right[i]).epsilon(1e-9));
                for (bool const upper : {false, true}) {
                    auto triangle = drawn(4 * n, -0.3, 0.3, 7);
                    for (std::int64_t i = 0; i < n; ++i) triangle[static_cast<std::size_t>((upper ? 3 : 0) * n + i)] += 1;
                    x = right;
                    loops::solve_bands(triangle.data(), 4, upper, transposed, x.data(), n, k);
                    CHECK(residual(dense(triangle, 4, upper ? 3 : 0, n), transposed, x.data(), right, n, k) < 1e-12);
                }
            }
    std::vector<double> const zero(9), pair{1, 0, 0, 1, 1, 1, 0, 1, 0};
    std::vector<double> u(9), x(3, 1.0);
    std::vector<double> const one(3, 1.0);
    CHECK(!loops::solve_tridiagonal(zero.data(), false, u.data(), one.data(), x.data(), 3, 1));
    CHECK(!loops::solve_tridiagonal(zero.data(), false, u.data(), one.data(), x.data(), 1, 1));
    CHECK(!loops::solve_tridiagonal(pair.data(), false, u.data(), one.data(), x.data(), 3, 1));
}

TEST_CASE("tridiagonal systems whose pivots have no normal reciprocal") {
    std::vector<double> u(51), x(17), y(17);
    auto bands = drawn(51, -0.25, 0.25, 5), right = drawn(17, -0.5, 0.5, 6);
    for (std::size_t i = 17; i < 34; ++i) bands[i] = 1;
    REQUIRE(loops::solve_tridiagonal(bands.data(), false, u.data(), right.data(), x.data(), 17, 1));
    for (auto* const numbers : {&bands, &right})
        for (double& e : *numbers) e = std::ldexp(e, 1022);
    {
        xg::flush_denormals const flush(true);   // then the reciprocals are 0
        REQUIRE(loops::solve_tridiagonal(bands.data(), false, u.data(), right.data(), y.data(), 17, 1));
    }
    for (std::size_t i = 0; i < 17; ++i) CHECK(y[i] == doctest::Approx(x[i]).epsilon(1e-12));
    std::vector<double> const tiny{0, std::ldexp(1.0, -1030), 0};   // its reciprocal is infinite
    REQUIRE(loops::solve_tridiagonal(tiny.data(), false, u.data(), tiny.data() + 1, y.data(), 1, 1));
    CHECK(y[0] == 1);
}

TEST_CASE("second derivatives of banded systems, and axes that broadcast") {
    constexpr auto one = xg::input<"one", double, 3, 4>;
    constexpr auto many = xg::input<"many", double, 2, 4, 1>;
    constexpr auto system = xg::tridiagonal_solve(one, many);
    constexpr auto above = xg::squeeze<0>(xg::slice<0, 0, 1>(one));
    constexpr auto diagonal = xg::squeeze<0>(xg::slice<0, 1, 2>(one));
    constexpr auto under = xg::squeeze<0>(xg::slice<0, 2, 3>(one));
    constexpr auto product = xg::tridiagonal_matmul(above, diagonal, under, many);
    constexpr auto loss = xg::sum(xg::sin(system)) + xg::sum(xg::sin(product)) +
                          xg::sum(xg::sin(xg::banded_triangular_solve<xg::triangle::upper, true>(one + 2_c, many)));
    constexpr auto slopes = xg::gradients(loss, one, many);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(slopes))) + xg::sum(xg::sin(std::get<1>(slopes)));
    auto D = test::numbers<double>({3, 4}, -1, 1, 3);
    for (std::int64_t i = 4; i < 8; ++i) D[i] += 3;
    auto const r =
        xg::check_gradients(second, xg::wrt(one, many), {.tolerance = 1e-7}, one = D, many = test::numbers<double>({2, 4, 1}, -1, 1, 4));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("patches of volumes") {
    constexpr auto x = xg::input<"x", float, 2, 3, 4, 5, 2>;
    constexpr auto v = xg::input<"v", float, 2, 3, 2, 3, 24>;
    constexpr auto p =
        xg::extract_volume_patches<xg::per_axis{2, 3, 2}, xg::window{.strides = {1, 2, 2}, .padding = xg::window_padding::same}>(x);
    constexpr auto g = xg::gradient_of(xg::sum(v * p), x);
    constexpr auto valid = xg::extract_volume_patches<xg::per_axis{3, 2, 4}, xg::window{.strides = {1, 2, 1}}>(x);
    xg::function f{xg::outputs(p, g, valid, xg::gradient_of(xg::sum(x * g), v))};   // g is linear in v: its gradient has the patches
    compare_all({"patches", "patches.x", "valid", "patches"},
        f(x = known<float>("volumes", {2, 3, 4, 5, 2}), v = known<float>("volumes.w", {2, 3, 2, 3, 24})), 1e-6);
}
