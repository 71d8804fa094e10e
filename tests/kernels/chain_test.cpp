// SPDX-License-Identifier: MIT
// Loops of many costly operations in a row, which run eight batches side by side: every length of the rest, static and named.
#include <doctest/doctest.h>

#include <support/tested_types.hpp>

#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim length{"length"};

template<class X>
constexpr auto chain(X x) {
    return xg::sigmoid(xg::log(xg::exp(xg::tanh(xg::tanh(x) * 0.8_c)) + 1_c));
}
double want(double x) { return 1 / (1 + std::exp(-std::log(std::exp(std::tanh(0.8 * std::tanh(x))) + 1))); }

template<class T>
std::vector<T> numbers(std::size_t n) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<int>(i * 37 % 101) - 50) / T(20);
    return v;
}
template<class T, class F>
void check_length(F& f, std::vector<T> const& v, std::size_t n, double tolerance) {
    auto const [all, total, largest] = f(v.data(), n);
    REQUIRE(static_cast<std::size_t>(all.size()) == n);
    double sum = 0, top = -std::numeric_limits<double>::infinity(), worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double const w = want(static_cast<double>(v[i]));
        sum += w;
        top = std::max(top, w);
        worst = std::max(worst, std::abs(static_cast<double>(all.data()[i]) - w));
    }
    CHECK(worst <= tolerance);
    CHECK(static_cast<double>(total) == doctest::Approx(sum).epsilon(10 * tolerance));
    CHECK(static_cast<double>(largest) == doctest::Approx(top).epsilon(tolerance));
}

template<class T>
struct named {
    static constexpr auto x = xg::input<"x", T, length>;
    xg::function<std::remove_const_t<decltype(xg::outputs(chain(x), xg::sum(chain(x)), xg::max(chain(x))))>> f{
        xg::outputs(chain(x), xg::sum(chain(x)), xg::max(chain(x)))};
    auto operator()(T const* p, std::size_t n) { return f(x = xg::array(p, static_cast<std::int64_t>(n))); }
};
template<class T, int N>
struct fixed {
    static constexpr auto x = xg::input<"x", T, N>;
    xg::function<std::remove_const_t<decltype(xg::outputs(chain(x), xg::sum(chain(x)), xg::max(chain(x))))>> f{
        xg::outputs(chain(x), xg::sum(chain(x)), xg::max(chain(x)))};
    auto operator()(T const* p, std::size_t) { return f(x = xg::array(p, N)); }
};
template<class T, int N>
void check_fixed(double tolerance) {
    fixed<T, N> f;
    check_length(f, numbers<T>(N), N, tolerance);
}
}

TEST_CASE_TEMPLATE("a long chain on every length of a named dimension", T, XGRAD_TESTED_TYPES) {
    double const tolerance = sizeof(T) == 4 ? 1e-6 : 1e-15;
    named<T> f;
    for (std::size_t n = 1; n <= 18 * xg::simd::width<T> + 1; ++n) check_length(f, numbers<T>(n), n, tolerance);
}

TEST_CASE("a long chain on static lengths") {
    constexpr int w = static_cast<int>(xg::simd::width<double>);
    check_fixed<double, 16 * w - 1>(1e-15);
#if !XGRAD_SANITIZED
    check_fixed<double, 4 * w>(1e-15);
    check_fixed<double, 8 * w>(1e-15);
    check_fixed<double, 8 * w + 1>(1e-15);
    check_fixed<double, 15 * w>(1e-15);
    check_fixed<double, 3 * w + 1>(1e-15);
#endif
}

TEST_CASE_TEMPLATE("NaN goes through a maximum wherever it stands, infinities too", T, XGRAD_TESTED_TYPES) {
    constexpr auto x = xg::input<"x", T, length>;
    xg::function f{xg::max(x)};
    T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    for (std::size_t n : {std::size_t(1), xg::simd::width<T>, 9 * xg::simd::width<T> + 1}) {
        for (std::size_t at = 0; at < n; ++at) {
            auto v = numbers<T>(n);
            v[at] = nan;
            CHECK(std::isnan(static_cast<T>(f(x = xg::array(v.data(), static_cast<std::int64_t>(n))))));
            v[at] = inf;
            CHECK(static_cast<T>(f(x = xg::array(v.data(), static_cast<std::int64_t>(n)))) == inf);
            v[at] = -inf;
            CHECK(static_cast<T>(f(x = xg::array(v.data(), static_cast<std::int64_t>(n)))) < inf);
        }
    }
}
