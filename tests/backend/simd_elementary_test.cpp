// SPDX-License-Identifier: MIT
// Functions on batches by xsimd against long double: the stated ULPs, edges as in the C library; the conversions to batches of xsimd.
#include <xgrad/backend/simd_elementary.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace xgrad;

namespace {
using real = long double;

template<class T>
double ulps(T got, real want) {
    T const rounded = static_cast<T>(want);
    if ((std::isnan(got) && std::isnan(rounded)) || got == rounded) return 0;
    if (!std::isfinite(got) || !std::isfinite(rounded)) return 1e30;
    int exponent = 0;
    std::frexp(rounded, &exponent);
    T const unit = std::max(std::ldexp(T(1), exponent - std::numeric_limits<T>::digits), std::numeric_limits<T>::denorm_min());
    return static_cast<double>(std::fabs(static_cast<real>(got) - want) / static_cast<real>(unit));
}

struct worst {
    double ulps = 0, at = 0;
};
// Not in the templates of functions: doctest's macros would be compiled again for each function.
void check_worst(char const* name, std::size_t bytes, worst of_batch, worst of_one, double allowed_of_batch, double allowed_of_one) {
    CAPTURE(name);
    CAPTURE(bytes);
    CAPTURE(of_batch.at);
    CHECK(of_batch.ulps <= allowed_of_batch);
    CAPTURE(of_one.at);
    CHECK(of_one.ulps <= allowed_of_one);
}
template<class T>
void check_edge(char const* name, T x, T got, T want) {
    CAPTURE(name);
    CAPTURE(sizeof(T));
    CAPTURE(x);
    CAPTURE(got);
    CHECK(ulps(got, static_cast<real>(want)) <= 4);
    if (!std::isnan(want)) CHECK(std::signbit(got) == std::signbit(want));
}
/// The largest errors of batches and of single numbers, for numbers from low to high: of equal signs with even exponents, else even.
template<class T, class F, class G>
void check(char const* name, F const& f, G const& expected, double low, double high, double allowed) {
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> dist(0, 1);
    worst of_batch, of_one;
    for (int i = 0; i < 400; ++i) {
        T x[simd::width<T>], y[simd::width<T>];
        for (T& v : x) {
            double const u = dist(engine);
            if (low > 0 && high / low > 50) v = static_cast<T>(low * std::pow(high / low, u));
            else v = static_cast<T>(low + u * (high - low));
        }
        simd::store(y, f(simd::load(x)));
        for (std::size_t k = 0; k < simd::width<T>; ++k) {
            real const want = expected(static_cast<real>(x[k]));
            for (auto const& [got, to] : {std::pair{y[k], &of_batch}, std::pair{static_cast<T>(f(x[k])), &of_one}})
                if (double const u = ulps(got, want); u > to->ulps) *to = {u, static_cast<double>(x[k])};
        }
    }
    double const of_library = std::max(allowed, 4.0);   // the C library's own
    check_worst(name, sizeof(T), of_batch, of_one, simd::has_xsimd<T> ? allowed : of_library, of_library);
}
/// Numbers with special cases, in all lanes: the same as in the C library, up to rounding.
template<class T, class F>
void check_edges(char const* name, F const& f) {
    using limits = std::numeric_limits<T>;
    T const inf = limits::infinity();
    for (T const x : {T(0), T(-0.0), inf, -inf, limits::quiet_NaN(), T(1), T(-1), T(2), T(-2), limits::min(), -limits::min(),
             limits::denorm_min(), limits::min() * T(0.625), limits::max(), limits::lowest()})
        check_edge<T>(name, x, f(simd::batch<T>(x))[simd::width<T> - 1], f(x));
}
#define XGRAD_TEST_CHECK(name, low, high, allowed) \
    check<T>( \
        #name, [](auto x) { return math::name(x); }, [](real x) { return std::name(x); }, low, high, allowed)
#define XGRAD_TEST_EDGES(name) check_edges<T>(#name, [](auto x) { return math::name(x); })
}

TEST_CASE_TEMPLATE("tangents, hyperbolic functions and their inverses", T, float, double) {
    for (double const s : {3.0, 100.0, 1e6}) XGRAD_TEST_CHECK(tan, -s, s, 3.5);
    XGRAD_TEST_CHECK(tan, 1e6, 1e30, 3.5);
    XGRAD_TEST_CHECK(asin, -1, 1, 2.5);
    XGRAD_TEST_CHECK(acos, -1, 1, 1.5);
    XGRAD_TEST_CHECK(acos, 0.999, 1, 1.5);
    XGRAD_TEST_CHECK(atan, -4, 4, 2.5);
    XGRAD_TEST_CHECK(atan, 1, 1e30, 2.5);
    double const overflow = sizeof(T) == 4 ? 89.4 : 710.4;
    XGRAD_TEST_CHECK(sinh, -3, 3, 3);
    XGRAD_TEST_CHECK(sinh, 3, overflow, 3);
    XGRAD_TEST_CHECK(cosh, -3, 3, 3);
    XGRAD_TEST_CHECK(cosh, 3, overflow, 3);
    XGRAD_TEST_CHECK(asinh, -3, 3, 4);
    XGRAD_TEST_CHECK(asinh, 3, 1e38, 4);
    XGRAD_TEST_CHECK(acosh, 1, 3, 2.5);
    XGRAD_TEST_CHECK(acosh, 3, 1e38, 2.5);
    XGRAD_TEST_CHECK(atanh, -1, 1, 2);
    for (double const small : {1e-30, 1e-4}) {
        XGRAD_TEST_CHECK(tan, small, 100 * small, 3.5);
        XGRAD_TEST_CHECK(asin, small, 100 * small, 2.5);
        XGRAD_TEST_CHECK(atan, small, 100 * small, 2.5);
        XGRAD_TEST_CHECK(sinh, small, 100 * small, 3);
        XGRAD_TEST_CHECK(asinh, small, 100 * small, 4);
        XGRAD_TEST_CHECK(atanh, small, 100 * small, 2);
    }
    XGRAD_TEST_EDGES(asin);
    XGRAD_TEST_EDGES(acos);
    XGRAD_TEST_EDGES(atan);
    XGRAD_TEST_EDGES(sinh);
    XGRAD_TEST_EDGES(cosh);
    XGRAD_TEST_EDGES(asinh);
    XGRAD_TEST_EDGES(acosh);
    XGRAD_TEST_EDGES(atanh);
    XGRAD_TEST_EDGES(tan);
}

TEST_CASE_TEMPLATE("other bases and the cube root, from denormals to the largest numbers", T, float, double) {
    constexpr bool single = sizeof(T) == 4;
    double const least = single ? 1e-45 : 5e-324, normal = single ? 1.2e-38 : 2.3e-308, most = single ? 3e38 : 1e308;
    for (auto const& [low, high] : {std::pair{least, normal}, std::pair{normal, 1.0}, std::pair{1.0, most}, std::pair{0.99, 1.01}}) {
        XGRAD_TEST_CHECK(cbrt, low, high, 2);
        XGRAD_TEST_CHECK(log2, low, high, 2);
        XGRAD_TEST_CHECK(log10, low, high, 2);
    }
    bool exact = true;
    for (int k = single ? -149 : -1074; k < (single ? 128 : 1024); ++k) {
        T const power = std::ldexp(T(1), k);
        exact = exact && math::log2(simd::batch<T>(power))[0] == static_cast<T>(k);
        exact = exact && math::exp2(simd::batch<T>(static_cast<T>(k)))[0] == power;
    }
    CHECK(exact);
    XGRAD_TEST_CHECK(cbrt, -3, 3, 2);
    auto const power = [](auto x) { return math::exp10(x); };
    auto const expected = [](real x) { return std::pow(10.0L, x); };
    double const end2 = single ? 128 : 1024, end10 = single ? 38.53 : 308.25, low2 = single ? -150 : -1075, low10 = single ? -45.2 : -324;
    XGRAD_TEST_CHECK(exp2, -3, 3, 2);
    XGRAD_TEST_CHECK(exp2, low2, end2, 2);
    XGRAD_TEST_CHECK(exp2, end2 - 2, end2 + 2, 2);
    XGRAD_TEST_CHECK(exp2, low2 - 4, low2 + 60, 2);
    check<T>("exp10", power, expected, -3, 3, 3);
    check<T>("exp10", power, expected, low10, end10, 3);
    check<T>("exp10", power, expected, end10 - 1, end10 + 1, 3);
    check<T>("exp10", power, expected, low10 - 2, low10 + 20, 3);
    XGRAD_TEST_EDGES(cbrt);
    XGRAD_TEST_EDGES(log2);
    XGRAD_TEST_EDGES(log10);
    XGRAD_TEST_EDGES(exp2);
    XGRAD_TEST_EDGES(exp10);
}

TEST_CASE_TEMPLATE("angles of points in all quadrants, on the axes, at infinity", T, float, double) {
    using limits = std::numeric_limits<T>;
    std::mt19937_64 engine(3);
    std::normal_distribution<double> dist;
    double most = 0;
    for (int i = 0; i < 2000; ++i) {
        T const y = static_cast<T>(dist(engine) * (i % 3 == 0 ? 1e-4 : 1)), x = static_cast<T>(dist(engine));
        most = std::max(
            most, ulps(math::atan2(simd::batch<T>(y), simd::batch<T>(x))[0], std::atan2(static_cast<real>(y), static_cast<real>(x))));
    }
    CHECK(most <= 3);
    T const edges[] = {
        0, T(-0.0), 1, -1, 3, limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::denorm_min()};
    for (T const y : edges) {
        for (T const x : edges) {
            T const got = math::atan2(simd::batch<T>(y), simd::batch<T>(x))[0], want = math::atan2(y, x);
            CAPTURE(x);
            CAPTURE(y);
            CHECK(ulps(got, static_cast<real>(want)) <= 4);
            if (!std::isnan(want)) CHECK(std::signbit(got) == std::signbit(want));
        }
    }
}

TEST_CASE("integers are no batches of xsimd") { CHECK(!simd::has_xsimd<std::int32_t>); }

#if XGRAD_USE_XSIMD && !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
namespace {
// A function of a program, as in the comment of to_xsimd.
template<class T>
simd::batch<T> smallest_of(simd::batch<T> a, simd::batch<T> b) {
    return simd::from_xsimd(xsimd::min(simd::to_xsimd(a), simd::to_xsimd(b)));
}
}
TEST_CASE_TEMPLATE("any function of xsimd can be used on batches", T, float, double) {
    if constexpr (simd::has_xsimd<T>) {
        auto const x = simd::iota<simd::batch<T>>(), y = simd::batch<T>(1);
        auto const there = simd::from_xsimd(simd::to_xsimd(x)), least = smallest_of(x, y);
        for (std::size_t i = 0; i < simd::width<T>; ++i) {
            CHECK(there[i] == static_cast<T>(i));
            CHECK(least[i] == std::min(static_cast<T>(i), T(1)));
        }
    }
}
#endif
