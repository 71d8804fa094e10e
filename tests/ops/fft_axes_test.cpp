// SPDX-License-Identifier: MIT
// Fourier transforms over several axes, of static lengths with tables, shifts, frequencies, windows and short-time transforms, compared
// with NumPy's formulas.
#include <support/tensor.hpp>

#include <xgrad/ops/complex/fft_axes.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <complex>
#include <numbers>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
using number = std::complex<double>;

std::vector<number> pairs(test::tensor<double> const& x) {
    std::vector<number> r;
    for (std::int64_t i = 0; i < x.size(); i += 2) r.emplace_back(x[i], x[i + 1]);
    return r;
}
/// The transform along an axis of [outer, n, inner].
std::vector<number> along(std::vector<number> const& x, std::size_t outer, std::size_t n, std::size_t inner, bool inverse = false) {
    std::vector<number> y(x.size());
    for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < inner; ++i) {
                number sum = 0;
                for (std::size_t j = 0; j < n; ++j)
                    sum += x[(o * n + j) * inner + i] *
                           std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
                y[(o * n + k) * inner + i] = inverse ? sum / static_cast<double>(n) : sum;
            }
    return y;
}
template<class R>
void same(R const& found, std::vector<number> const& expected) {
    REQUIRE(found.size() == 2 * static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::abs(number(found[2 * static_cast<std::int64_t>(i)], found[2 * static_cast<std::int64_t>(i) + 1]) - expected[i]) < 1e-12);
}
}

TEST_CASE("transforms over several axes") {
    constexpr auto x = xg::input<"x", double, batch, 3, 4, 2>;
    constexpr auto u = xg::input<"u", double, 2, length, 6>;
    auto const z = xg::view_as_complex(x);
    auto const half = xg::rfft2(u);
    xg::function f{xg::outputs(xg::view_as_real(xg::fft2(z)), xg::view_as_real(xg::ifft2(xg::fft2(z))), xg::view_as_real(xg::fftn<0>(z)),
        xg::view_as_real(xg::fftn(z)), xg::view_as_real(xg::ifftn<0, 1>(z)))};
    auto const X = test::numbers<double>({2, 3, 4, 2}, -1, 1, 1);
    auto const [two, back, first, all, inverse] = f(x = X);
    auto const p = pairs(X), rows = along(along(p, 6, 4, 1), 2, 3, 4);
    same(two, rows);
    same(back, p);
    same(first, along(p, 1, 2, 12));
    same(all, along(rows, 1, 2, 12));
    same(inverse, along(along(p, 1, 2, 12, true), 2, 3, 4, true));
    xg::function g{xg::outputs(xg::view_as_real(half), xg::irfft2<6>(half))};
    auto const U = test::numbers<double>({2, 5, 6}, -1, 1, 2);
    auto const [terms, again] = g(u = U);
    std::vector<number> whole;
    for (std::int64_t i = 0; i < U.size(); ++i) whole.emplace_back(U[i]);
    whole = along(along(whole, 10, 6, 1), 2, 5, 6);
    std::vector<number> kept;
    for (std::size_t i = 0; i < whole.size(); ++i)
        if (i % 6 < 4) kept.push_back(whole[i]);
    same(terms, kept);
    for (std::int64_t i = 0; i < U.size(); ++i) CHECK(again[i] == doctest::Approx(U[i]).epsilon(1e-13));
}

TEST_CASE_TEMPLATE("tables in static memory give the bits of tables of a call", N, std::integral_constant<int, 1>,
    std::integral_constant<int, 30>, std::integral_constant<int, 64>, std::integral_constant<int, 37>) {
    constexpr int n = N::value;
    constexpr auto x = xg::input<"x", float, batch, n, 2>;
    constexpr auto y = xg::input<"y", float, batch, length, 2>;
    auto const z = xg::view_as_complex(x);
    auto const w = xg::view_as_complex(y);
    xg::function f{xg::outputs(xg::view_as_real(xg::fft(z)), xg::view_as_real(xg::rfft(xg::real(z))), xg::irfft<n>(xg::rfft(xg::real(z))))};
    xg::function g{
        xg::outputs(xg::view_as_real(xg::fft(w)), xg::view_as_real(xg::rfft(xg::real(w))), xg::irfft<length>(xg::rfft(xg::real(w))))};
    auto const X = test::numbers<float>({3, n, 2}, -1, 1, 1);
    auto const a = f(x = X);
    auto const b = g(y = X);
    auto const equal = [](auto const& p, auto const& q) {
        REQUIRE(p.size() == q.size());
        for (std::int64_t i = 0; i < p.size(); ++i) CHECK(p[i] == q[i]);
    };
    equal(std::get<0>(a), std::get<0>(b));
    equal(std::get<1>(a), std::get<1>(b));
    equal(std::get<2>(a), std::get<2>(b));
    // a transform before the tables are filled
    std::vector<float> memory(static_cast<std::size_t>(xg::detail::fft::transform<float>::memory(n))), re(n, 1), im(n), p(n), q(n);
    xg::detail::fft::transform_of<0>(n, memory.data()).run({re.data(), im.data()}, {p.data(), q.data()});
    CHECK(p[0] == doctest::Approx(n));
}

TEST_CASE("shifts, frequencies and windows") {
    constexpr auto x = xg::input<"x", float, length, 4>;
    constexpr auto z = xg::input<"z", double, 5, 2>;
    auto const c = xg::view_as_complex(z);
    xg::function f{xg::outputs(xg::fftshift<0>(x), xg::ifftshift<0>(x), xg::fftshift(x), xg::ifftshift(xg::fftshift(x)))};
    for (std::int64_t n : {1, 4, 5}) {
        auto const X = test::numbers<float>({n, 4}, -1, 1, 1);
        auto const [s, i, both, back] = f(x = X);
        for (std::int64_t r = 0; r < n; ++r)
            for (std::int64_t k = 0; k < 4; ++k) {
                CHECK(s[(r + n / 2) % n * 4 + k] == X[r * 4 + k]);
                CHECK(i[r * 4 + k] == X[(r + n / 2) % n * 4 + k]);
                CHECK(both[(r + n / 2) % n * 4 + (k + 2) % 4] == X[r * 4 + k]);
                CHECK(back[r * 4 + k] == X[r * 4 + k]);
            }
    }
    auto const Z = test::numbers<double>({5, 2}, -1, 1, 1);
    auto const turned = xg::function{xg::view_as_real(xg::fftshift(c))}(z = Z);
    for (std::int64_t i = 0; i < 10; ++i) CHECK(turned[i] == Z[(i + 6) % 10]);
    xg::function w{xg::outputs(xg::fftfreq<5, double>(), xg::fftfreq<4>(), xg::rfftfreq<5, double>(), xg::hann_window<6, double>(),
        xg::hann_window<5, double, xg::window_form::symmetric>(), xg::hamming_window<4>(), xg::hann_window<1>(),
        xg::hann_window<length>() + xg::sum<1>(x))};
    auto const [five, four, half, hann, symmetric, hamming, one, named] = w(x = test::tensor<float>({4, 4}));
    auto const is = [](auto const& found, std::vector<double> const& expected, double tolerance) {
        REQUIRE(found.size() == static_cast<std::int64_t>(expected.size()));
        for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(found[static_cast<std::int64_t>(i)] - expected[i]) < tolerance);
    };
    is(five, {0, 0.2, 0.4, -0.4, -0.2}, 1e-16);
    is(four, {0, 0.25, -0.5, -0.25}, 1e-7);
    is(half, {0, 0.2, 0.4}, 1e-16);
    is(hann, {0, 0.25, 0.75, 1, 0.75, 0.25}, 1e-15);
    is(symmetric, {0, 0.5, 1, 0.5, 0}, 1e-15);
    is(hamming, {0.08, 0.54, 1, 0.54}, 1e-6);
    is(one, {1}, 0.1);
    is(named, {0, 0.5, 1, 0.5}, 1e-6);
}

TEST_CASE("frames and short-time transforms, and gradients of all") {
    constexpr auto x = xg::input<"x", double, batch, 11>;
    constexpr auto y = xg::input<"y", double, 3, 4>;
    auto const t = xg::stft<4, 3>(x);
    auto const plain = xg::stft<4, 3>(x, xg::ones<double, 4>());
    xg::function f{xg::outputs(xg::frame<4, 3>(x), xg::view_as_real(t), xg::view_as_real(plain))};
    auto const X = test::numbers<double>({2, 11}, -1, 1, 3);
    auto const [frames, terms, of_ones] = f(x = X);
    REQUIRE(frames.shape() == std::array<std::int64_t, 3>{2, 3, 4});
    REQUIRE(terms.shape() == std::array<std::int64_t, 4>{2, 3, 3, 2});
    for (std::int64_t i = 0; i < 24; ++i) CHECK(frames[i] == X[i / 12 * 11 + i / 4 % 3 * 3 + i % 4]);
    double const hann[]{0, 0.5, 1, 0.5};
    std::vector<number> windowed, whole;
    for (std::int64_t i = 0; i < 24; ++i) windowed.emplace_back(frames[i] * hann[i % 4]), whole.emplace_back(frames[i]);
    std::vector<number> want, want_whole;
    auto const all = along(windowed, 6, 4, 1), all_whole = along(whole, 6, 4, 1);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 4 < 3) want.push_back(all[i]), want_whole.push_back(all_whole[i]);
    same(terms, want);
    same(of_ones, want_whole);
    auto const power = xg::sum(xg::square(xg::square(xg::abs(t))));
    auto const z = xg::rfft2(y);
    auto const loss = power + xg::sum(xg::square(xg::real(xg::fftshift(xg::fft2(y * y))))) +
                      xg::sum(xg::imag(z) * xg::square(xg::real(z))) + xg::sum(y * xg::irfft2<4>(z * z)) +
                      xg::sum(y * y * xg::real(xg::ifftn(y * y)));
    auto const r = xg::check_gradients(loss, xg::wrt(x, y), {.tolerance = 1e-7}, x = X, y = test::numbers<double>({3, 4}, -1, 1, 4));
    CHECK_MESSAGE(r.ok, r.message);
}
