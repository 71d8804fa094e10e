// SPDX-License-Identifier: MIT
// Fourier transforms compared with the sum in long double, for every kind of length; inverses, gradients, named lengths.
#include <support/tensor.hpp>

#include <xgrad/ops/complex/fft.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};

using exact = std::complex<long double>;

template<class T>
std::vector<exact> slow(T const* re, T const* im, std::int64_t n, int sign = -1) {
    std::vector<exact> roots(static_cast<std::size_t>(n)), sums(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k)
        roots[static_cast<std::size_t>(k)] =
            std::polar(1.0L, 2 * sign * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n));
    for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t j = 0; j < n; ++j)
            sums[static_cast<std::size_t>(k)] += exact(re[j], im[j]) * roots[static_cast<std::size_t>(j * k % n)];
    return sums;
}
template<class T>
void check_length(std::int64_t n) {
    auto const re = test::numbers<T>({n}, -1, 1, static_cast<int>(n)), im = test::numbers<T>({n}, -1, 1, static_cast<int>(n) + 1);
    std::vector<T> memory(static_cast<std::size_t>(xg::detail::fft::transform<T>::memory(n)));
    REQUIRE(memory.size() <= static_cast<std::size_t>(xg::detail::fft::most_memory_per_element * n + xg::detail::fft::most_memory_rest));
    auto const f = xg::detail::fft::transform<T>::with_own_tables(n, memory.data());
    std::vector<T> yr(static_cast<std::size_t>(n)), yi(yr);
    f.run({re.data(), im.data()}, {yr.data(), yi.data()});
    auto const expected = slow(re.data(), im.data(), n);
    long double largest = 0, wrong = 0;
    for (std::size_t k = 0; k < yr.size(); ++k) {
        largest = std::max(largest, std::abs(expected[k]));
        wrong = std::max(wrong, std::abs(expected[k] - exact(yr[k], yi[k])));
    }
    CHECK_MESSAGE(wrong <= 12 * std::numeric_limits<T>::epsilon() * largest, n, " ", static_cast<double>(wrong / largest));
}
}

TEST_CASE_TEMPLATE("every length: powers of 2, small primes, primes above 31", T, float, double) {
    for (std::int64_t n = 1; n <= 40; ++n) check_length<T>(n);
    for (std::int64_t n : {49, 64, 77, 97, 121, 128, 169, 186, 222, 240, 512, 625, 1009}) check_length<T>(n);
}

TEST_CASE("fft and ifft of rows, in more axes, of real numbers, of a named length") {
    constexpr auto x = xg::input<"x", double, batch, 2, length, 2>;
    constexpr auto u = xg::input<"u", float, batch, 12>;
    auto const z = xg::view_as_complex(x);
    xg::function f{xg::outputs(xg::view_as_real(xg::fft(z)), xg::view_as_real(xg::ifft(z)), xg::view_as_real(xg::fft(u)))};
    for (std::int64_t n : {1, 6, 37}) {
        auto const a = test::numbers<double>({3, 2, n, 2}, -1, 1, 4);
        auto const r = test::numbers<float>({3, 12}, -1, 1, 5);
        auto const [forward, back, of_real] = f(x = a, u = r);
        std::vector<double> re(static_cast<std::size_t>(n)), im(re);
        for (std::int64_t row = 0; row < 6; ++row) {
            for (std::int64_t k = 0; k < n; ++k) {
                re[static_cast<std::size_t>(k)] = a[(row * n + k) * 2];
                im[static_cast<std::size_t>(k)] = a[(row * n + k) * 2 + 1];
            }
            auto const e = slow(re.data(), im.data(), n), i = slow(re.data(), im.data(), n, 1);
            for (std::int64_t k = 0; k < n; ++k) {
                CHECK(
                    std::abs(exact(forward[(row * n + k) * 2], forward[(row * n + k) * 2 + 1]) - e[static_cast<std::size_t>(k)]) < 1e-13L);
                CHECK(std::abs(exact(back[(row * n + k) * 2], back[(row * n + k) * 2 + 1]) * static_cast<long double>(n) -
                               i[static_cast<std::size_t>(k)]) < 1e-13L);
            }
        }
        float const zeros[12]{};
        auto const e = slow(r.data() + 12, zeros, 12);
        for (std::int64_t k = 0; k < 12; ++k)
            CHECK(std::abs(exact(of_real(1, k, 0), of_real(1, k, 1)) - e[static_cast<std::size_t>(k)]) < 1e-5L);
    }
}

TEST_CASE_TEMPLATE("rfft and irfft: even and odd lengths", N, std::integral_constant<int, 1>, std::integral_constant<int, 2>,
    std::integral_constant<int, 9>, std::integral_constant<int, 20>) {
    constexpr int n = N::value;
    constexpr auto x = xg::input<"x", double, batch, n>;
    auto const terms = xg::rfft(x);
    xg::function f{xg::outputs(xg::real(terms), xg::imag(terms), xg::irfft<n>(terms))};
    auto const a = test::numbers<double>({3, n}, -1, 1, 6);
    auto const [re, im, same] = f(x = a);
    double const zeros[n]{};
    for (std::int64_t row = 0; row < 3; ++row) {
        auto const e = slow(a.data() + row * n, zeros, n);
        for (std::int64_t k = 0; k <= n / 2; ++k) CHECK(std::abs(exact(re(row, k), im(row, k)) - e[static_cast<std::size_t>(k)]) < 1e-13L);
        for (std::int64_t j = 0; j < n; ++j) CHECK(same(row, j) == doctest::Approx(a[row * n + j]).epsilon(1e-13));
    }
}

TEST_CASE("an irfft does not read the imaginary parts of its first and last term; no rows") {
    constexpr auto x = xg::input<"x", double, batch, 4, 2>;
    xg::function f{xg::irfft<6>(xg::view_as_complex(x))};
    auto a = test::numbers<double>({2, 4, 2}, -1, 1, 7);
    auto const first = f(x = a);
    std::vector<double> const kept(first.begin(), first.end());
    a.data()[1] = 100;
    a.data()[7] = -50;
    auto const second = f(x = a);
    for (std::int64_t i = 0; i < 12; ++i) CHECK(second[i] == kept[static_cast<std::size_t>(i)]);
    CHECK(f(x = test::tensor<double>({0, 4, 2})).size() == 0);
}

TEST_CASE("gradients of transforms, of second order too") {
    constexpr auto x = xg::input<"x", double, 2, 5, 2>;
    constexpr auto u = xg::input<"u", double, 2, 6>;
    constexpr auto v = xg::input<"v", double, 2, 7>;
    auto const z = xg::view_as_complex(x);
    auto const inner = xg::sum(xg::square(xg::real(xg::fft(z * z)))) + xg::sum(xg::imag(xg::ifft(z)) * xg::real(z));
    auto const real = xg::sum(xg::exp(xg::real(xg::rfft(u)) * 0.25_c)) + xg::sum(xg::square(xg::imag(xg::rfft(v)))) +
                      xg::sum(u * u * xg::irfft<6>(xg::rfft(u) * xg::rfft(u))) + xg::sum(v * v * xg::irfft<7>(xg::rfft(v) * xg::rfft(v)));
    auto const loss = inner + real;
    auto const g = xg::gradients(loss, x, u, v);
    auto const second = xg::sum(xg::square(std::get<0>(g))) + xg::sum(xg::square(std::get<1>(g))) + xg::sum(xg::square(std::get<2>(g)));
    auto const a = test::numbers<double>({2, 5, 2}, -0.5, 0.5, 8), b = test::numbers<double>({2, 6}, -0.5, 0.5, 9),
               c = test::numbers<double>({2, 7}, -0.5, 0.5, 10);
    auto const first = xg::check_gradients(loss, xg::wrt(x, u, v), x = a, u = b, v = c);
    CHECK_MESSAGE(first.ok, first.message);
    auto const twice = xg::check_gradients(second, xg::wrt(x, u, v), x = a, u = b, v = c);
    CHECK_MESSAGE(twice.ok, twice.message);
}
