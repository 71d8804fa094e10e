// SPDX-License-Identifier: MIT
// Convolutions and cosine transforms compared with NumPy and SciPy (tests/reference/signals.py), loops on plain arrays, gradients.
#include "ops/signals_reference.hpp"

#include <xgrad/ops/signal/convolve.hpp>
#include <xgrad/ops/signal/cosine_transform.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <numbers>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using signals::check_known;
using signals::known;
using xg::convolve_mode;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
}

TEST_CASE_TEMPLATE("sliding products of every length, without the terms outside", T, float, double) {
    for (std::int64_t n : {1, 2, 7, 16, 33, 150})
        for (std::int64_t m : {1, 2, 5, 40, 300})
            for (std::int64_t before : {std::int64_t(0), m / 2, m - 1})
                for (std::int64_t after : {std::int64_t(0), m - 1}) {
                    std::int64_t const count = n + before + after - m + 1;
                    if (count < 1) continue;
                    auto const x = test::numbers<T>({n}, -1, 1, static_cast<int>(n)), w = test::numbers<T>({m}, -1, 1, static_cast<int>(m));
                    test::tensor<T> y({count}, T(-7));
                    xg::detail::sliding::run(x.data(), n, w.data(), m, before, y.data(), count);
                    for (std::int64_t k = 0; k < count; ++k) {
                        double sum = 0;
                        for (std::int64_t j = 0; j < m; ++j)
                            if (std::int64_t const at = k - before + j; at >= 0 && at < n)
                                sum += static_cast<double>(x[at]) * static_cast<double>(w[j]);
                        CHECK(std::abs(static_cast<double>(y[k]) - sum) <= 40 * static_cast<double>(std::numeric_limits<T>::epsilon()));
                    }
                }
}

TEST_CASE("cosine sums of every length, and their transposes") {
    for (std::int64_t n : {1, 2, 3, 4, 8, 9, 30, 31, 37, 64}) {
        auto const x = test::numbers<double>({2, n}, -1, 1, static_cast<int>(n));
        test::tensor<double> y({2, n}), z({2, n});
        std::vector<double> scratch(static_cast<std::size_t>(xg::detail::fft::transform<double>::memory(n) + 10 * (n + 1)));
        xg::kernel_part const part{0, 2, reinterpret_cast<std::byte*>(scratch.data()), nullptr};
        xg::tensor_view<double const, 2> const in(x.data(), {2, n});
        xg::op::cosine_sums<false, 0>::run(part, in, xg::tensor_view<double, 2>(y.data(), {2, n}));
        xg::op::cosine_sums<true, 0>::run(part, in, xg::tensor_view<double, 2>(z.data(), {2, n}));
        for (std::int64_t row = 0; row < 2; ++row)
            for (std::int64_t k = 0; k < n; ++k) {
                double sum = 0, transposed = 0;
                for (std::int64_t j = 0; j < n; ++j) {
                    double const unit = std::numbers::pi / static_cast<double>(2 * n), e = x[row * n + j];
                    sum += e * std::cos(unit * static_cast<double>(k * (2 * j + 1)));
                    transposed += e * std::cos(unit * static_cast<double>(j * (2 * k + 1)));
                }
                CHECK(std::abs(y[row * n + k] - sum) < 2e-13);
                CHECK(std::abs(z[row * n + k] - transposed) < 2e-13);
            }
    }
}

TEST_CASE("convolutions and correlations are NumPy's") {
    constexpr auto a = xg::input<"a", double, 41>;
    constexpr auto v = xg::input<"v", double, 6>;
    constexpr auto w = xg::input<"w", double, 9>;
    constexpr auto named = xg::input<"named", double, batch, length>;
    xg::function f{xg::outputs(xg::convolve(a, v), xg::convolve<convolve_mode::same>(a, v), xg::convolve<convolve_mode::same>(v, w),
        xg::convolve<convolve_mode::valid>(v, w), xg::correlate<convolve_mode::same>(a, v), xg::correlate(a, v),
        xg::correlate<convolve_mode::same>(v, w), xg::correlate(v, w), xg::convolve(v, named), xg::correlate(named, v))};
    auto const A = known("a", {41}), V = known("v", {6}), W = known("w", {9});
    test::tensor<double> rows({2, 9});
    for (std::int64_t i = 0; i < 9; ++i) rows[i] = W[i], rows[9 + i] = -2 * W[i];
    auto const r = f(a = A, v = V, w = W, named = rows);
    check_known("convolve.full", std::get<0>(r));
    check_known("convolve.same", std::get<1>(r));
    check_known("convolve.swapped.same", std::get<2>(r));
    check_known("convolve.swapped.valid", std::get<3>(r));
    check_known("correlate.same", std::get<4>(r));
    check_known("correlate.valid", std::get<5>(r));
    check_known("correlate.swapped.same", std::get<6>(r));
    check_known("correlate.swapped.valid", std::get<7>(r));
    auto const swapped = known("convolve.swapped.full", {14}), valid = known("correlate.swapped.valid", {4});
    for (std::int64_t i = 0; i < 14; ++i) {
        CHECK(std::get<8>(r)(0, i) == doctest::Approx(swapped[i]).epsilon(1e-13));
        CHECK(std::get<8>(r)(1, i) == doctest::Approx(-2 * swapped[i]).epsilon(1e-13));
    }
    for (std::int64_t i = 0; i < 4; ++i) CHECK(std::get<9>(r)(1, i) == doctest::Approx(-2 * valid[3 - i]).epsilon(1e-13));
    CHECK_THROWS_AS(f(a = A, v = V, w = W, named = test::tensor<double>({2, 3})), xg::error);
}

TEST_CASE("gradients of convolutions, of second order too") {
    constexpr auto x = xg::input<"x", double, 2, length>;
    constexpr auto filter = xg::input<"filter", double, 3>;
    constexpr auto y = xg::input<"y", double, 2, 4>;
    constexpr auto s = xg::input<"s", double, 5>;
    auto const inner = xg::sum(xg::exp(0.3_c * xg::convolve<convolve_mode::same>(x, filter)));
    auto const loss = inner + xg::sum(xg::sin(xg::gradient_of(inner, x))) + xg::sum(xg::sin(xg::gradient_of(inner, filter))) +
                      xg::sum(xg::sin(xg::correlate(s, y)));
    auto const X = test::numbers<double>({2, 6}, -1, 1, 1), F = test::numbers<double>({3}, -1, 1, 2),
               Y = test::numbers<double>({2, 4}, -1, 1, 3), S = test::numbers<double>({5}, -1, 1, 4);
    auto const r = xg::check_gradients(loss, xg::wrt(x, filter, y, s), {.tolerance = 1e-6}, x = X, filter = F, y = Y, s = S);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("cosine transforms are SciPy's, with their inverses and gradients") {
    constexpr auto x = xg::input<"x", double, batch, 12>;
    constexpr auto odd = xg::input<"odd", double, batch, length>;
    using enum xg::dct_norm;
    xg::function f{xg::outputs(xg::dct<1>(x), xg::dct<1, ortho>(x), xg::dct(x), xg::dct<2, ortho>(x), xg::dct<3>(x), xg::dct<3, ortho>(x),
        xg::dct<4>(x), xg::dct<4, ortho>(x), xg::dct(odd), xg::dct<4>(odd),
        xg::stack<0>(xg::idct<1>(xg::dct<1>(x)), xg::idct(xg::dct(x)), xg::idct<4>(xg::dct<4>(x))))};
    auto const X = known("signal", {2, 12});
    auto const r = f(x = X, odd = known("odd", {2, 9}));
    check_known("dct1.none", std::get<0>(r));
    check_known("dct1.ortho", std::get<1>(r));
    check_known("dct2.none", std::get<2>(r));
    check_known("dct2.ortho", std::get<3>(r));
    check_known("dct3.none", std::get<4>(r));
    check_known("dct3.ortho", std::get<5>(r));
    check_known("dct4.none", std::get<6>(r));
    check_known("dct4.ortho", std::get<7>(r));
    check_known("dct2.none.odd", std::get<8>(r));
    check_known("dct4.none.odd", std::get<9>(r));
    for (std::int64_t k = 0; k < 3 * 24; ++k) CHECK(std::get<10>(r)[k] == doctest::Approx(X[k % 24]).epsilon(1e-13));
    constexpr auto u = xg::input<"u", double, 2, 5>;
    auto const inner = xg::sum(xg::exp(0.2_c * xg::dct(u))) + xg::sum(xg::sin(xg::dct<4>(u)));
    auto const loss = inner + xg::sum(xg::square(xg::gradient_of(inner, u)));
    auto const g = xg::check_gradients(loss, xg::wrt(u), {.tolerance = 1e-6}, u = test::numbers<double>({2, 5}, -1, 1, 4));
    CHECK_MESSAGE(g.ok, g.message);
}
