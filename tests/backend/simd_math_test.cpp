// SPDX-License-Identifier: MIT
// Mathematics on batches against long double: the stated ULPs, edge values, denormals, tails.
#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace xgrad;

namespace {

/// Distance in units of the last place of T at the wanted value; 0 for equal or both NaN, 1e30 where only one is finite.
template<class T>
double ulps(T got, long double want) {
    T const rounded = static_cast<T>(want);
    if ((std::isnan(got) && std::isnan(rounded)) || got == rounded) return 0;
    if (!std::isfinite(got) || !std::isfinite(rounded)) return 1e30;
    int exponent = 0;
    std::frexp(rounded, &exponent);
    T const unit = std::max(std::ldexp(T(1), exponent - std::numeric_limits<T>::digits), std::numeric_limits<T>::denorm_min());
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / static_cast<long double>(unit));
}

#define XGRAD_TEST_FUNCTION(name, reference) \
    struct name##_pair { \
        template<class V> \
        static V batch(V x) { \
            return math::name(x); \
        } \
        static long double want(long double x) { return reference; } \
    };
XGRAD_TEST_FUNCTION(exp, std::exp(x))
XGRAD_TEST_FUNCTION(expm1, std::expm1(x))
XGRAD_TEST_FUNCTION(log, std::log(x))
XGRAD_TEST_FUNCTION(log1p, std::log1p(x))
XGRAD_TEST_FUNCTION(tanh, std::tanh(x))
XGRAD_TEST_FUNCTION(sigmoid, 1 / (1 + std::exp(-x)))
XGRAD_TEST_FUNCTION(sqrt, std::sqrt(x))
XGRAD_TEST_FUNCTION(sin, std::sin(x))
XGRAD_TEST_FUNCTION(cos, std::cos(x))
XGRAD_TEST_FUNCTION(erf, std::erf(x))
XGRAD_TEST_FUNCTION(floor, std::floor(x))
XGRAD_TEST_FUNCTION(ceil, std::ceil(x))
XGRAD_TEST_FUNCTION(round, std::nearbyint(x))
XGRAD_TEST_FUNCTION(abs, std::fabs(x))

template<class T>
std::vector<T> uniform(double low, double high) {
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> dist(low, high);
    std::vector<T> v(20000);
    for (T& x : v) x = static_cast<T>(dist(engine));
    return v;
}
/// Values of all magnitudes between e^low and e^high.
template<class T>
std::vector<T> spread(double low, double high, bool both_signs) {
    auto v = uniform<T>(0, 1);
    std::mt19937_64 engine(4);
    std::uniform_real_distribution<double> dist(low, high);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(std::exp(dist(engine))) * (both_signs && i % 2 == 0 ? T(-1) : T(1));
    return v;
}
template<class T>
std::vector<T> edges() {
    using limits = std::numeric_limits<T>;
    std::vector<T> v;
    for (T x : {T(0), limits::infinity(), limits::quiet_NaN(), limits::min(), limits::denorm_min(), limits::min() / 8, limits::max(), T(1),
             T(2), T(0.5), T(1e-20), limits::epsilon(), T(88.6), T(89.5), T(709), T(800), T(1.5), T(2.5)}) {
        v.push_back(x);
        v.push_back(-x);
    }
    return v;
}

#if defined(__FMA__) || defined(__aarch64__)
constexpr double turned = 1.0;   // of sine and cosine
#else
constexpr double turned = 1.5;
#endif

template<class Pair, class T>
double worst(std::vector<T> const& xs) {
    using V = simd::batch<T>;
    double result = 0;
    T out[V::size];
    for (std::size_t i = 0; i < xs.size(); i += V::size) {
        std::size_t const n = std::min(V::size, xs.size() - i);
        simd::store(out, Pair::batch(n == V::size ? simd::load(&xs[i]) : simd::load_partial(&xs[i], n)));
        for (std::size_t j = 0; j < n; ++j) {
            double const u = ulps(out[j], Pair::want(xs[i + j]));
            if (u > result) {
                result = u;
                INFO("at ", xs[i + j], " got ", out[j]);
                CHECK(u < 1e29);
            }
        }
    }
    return result;
}

}   // namespace

TEST_CASE_TEMPLATE("accuracy over the range", T, float, double) {
    bool const single = sizeof(T) == 4;
    double const low = single ? -100 : -730, high = single ? 88.5 : 709.5;
    CHECK(worst<exp_pair>(uniform<T>(low - 10, high)) <= 1.0);
    CHECK(worst<exp_pair>(uniform<T>(-2, 2)) <= 1.0);
    CHECK(worst<exp_pair>(uniform<T>(-0.05, 0.05)) <= 1.0);
    CHECK(worst<exp_pair>(uniform<T>(low - 10, low + 15)) <= 1.0);   // the denormal results
    CHECK(worst<expm1_pair>(uniform<T>(-50, high)) <= 2.0);
    CHECK(worst<expm1_pair>(uniform<T>(-0.05, 0.05)) <= 2.0);
    CHECK(worst<expm1_pair>(uniform<T>(high - 1, high)) <= 2.0);
    CHECK(worst<expm1_pair>(spread<T>(low, 0, true)) <= 2.0);
    CHECK(worst<log_pair>(spread<T>(low, high, false)) <= 1.0);
    CHECK(worst<log_pair>(uniform<T>(0.5, 2)) <= 1.0);
    CHECK(worst<log_pair>(uniform<T>(0.7, 0.76)) <= 1.0);   // where the exponent changes
    CHECK(worst<log_pair>(uniform<T>(1.4, 1.51)) <= 1.0);
    CHECK(worst<log1p_pair>(spread<T>(low, high, false)) <= 2.0);
    CHECK(worst<log1p_pair>(uniform<T>(-1, 2)) <= 2.0);
    CHECK(worst<tanh_pair>(uniform<T>(-22, 22)) <= 3.0);
    CHECK(worst<tanh_pair>(uniform<T>(-0.05, 0.05)) <= 3.0);
    CHECK(worst<tanh_pair>(spread<T>(low, 3, true)) <= 3.0);
    CHECK(worst<sigmoid_pair>(uniform<T>(-30, 30)) <= 3.0);
    CHECK(worst<sqrt_pair>(spread<T>(low, high, false)) <= 0.5);
    for (double end : {1.0, 100.0, 1500.0, 60000.0, 1e6, 1e9}) {   // the ends are around those beyond which <cmath> takes over
        CHECK(worst<sin_pair>(uniform<T>(-end, end)) <= turned);
        CHECK(worst<cos_pair>(uniform<T>(-end, end)) <= turned);
    }
    CHECK(worst<sin_pair>(spread<T>(low, high, true)) <= turned);
    CHECK(worst<cos_pair>(spread<T>(low, high, true)) <= turned);
    CHECK(worst<erf_pair>(uniform<T>(-7, 7)) <= 1.5);
    CHECK(worst<erf_pair>(uniform<T>(0.5, 1.5)) <= 1.5);
    CHECK(worst<erf_pair>(spread<T>(low, 1, true)) <= 1.5);
    CHECK(worst<floor_pair>(uniform<T>(-1000, 1000)) == 0);
    CHECK(worst<ceil_pair>(uniform<T>(-1000, 1000)) == 0);
    CHECK(worst<round_pair>(uniform<T>(-1000, 1000)) == 0);
}

TEST_CASE_TEMPLATE("zero, inf, NaN, denormals and the ends of the range", T, float, double) {
    auto const x = edges<T>();
    CHECK(worst<exp_pair>(x) <= 1.0);
    CHECK(worst<expm1_pair>(x) <= 2.0);
    CHECK(worst<log_pair>(x) <= 1.0);
    CHECK(worst<log1p_pair>(x) <= 2.0);
    CHECK(worst<tanh_pair>(x) <= 3.0);
    CHECK(worst<sqrt_pair>(x) <= 0.5);
    CHECK(worst<sin_pair>(x) <= turned);
    CHECK(worst<cos_pair>(x) <= turned);
    CHECK(worst<erf_pair>(x) <= 1.5);
    CHECK(worst<floor_pair>(x) == 0);
    CHECK(worst<ceil_pair>(x) == 0);
    CHECK(worst<round_pair>(x) == 0);
    CHECK(worst<abs_pair>(x) == 0);
}

TEST_CASE_TEMPLATE("sigmoid saturates and the sign of zero stays", T, float, double) {
    using V = simd::batch<T>;
    T const inf = std::numeric_limits<T>::infinity();
    CHECK(math::sigmoid(V(inf))[0] == 1);
    CHECK(math::sigmoid(V(-inf))[0] == 0);
    CHECK(math::sigmoid(V(-2000))[0] == 0);
    CHECK(std::isnan(math::sigmoid(V(std::numeric_limits<T>::quiet_NaN()))[0]));
    CHECK(std::signbit(math::tanh(V(T(-0.0)))[0]));
    CHECK(std::signbit(math::expm1(V(T(-0.0)))[0]));
    CHECK(std::signbit(math::log1p(V(T(-0.0)))[0]));
    CHECK(std::signbit(math::floor(V(T(-0.0)))[0]));
    CHECK(std::signbit(math::sin(V(T(-0.0)))[0]));
    CHECK(std::signbit(math::erf(V(T(-0.0)))[0]));
}

TEST_CASE_TEMPLATE("sine and cosine next to multiples of pi / 2", T, float, double) {
    std::vector<T> x;
    for (std::int64_t n = 1; n < (sizeof(T) == 4 ? 40000 : 600000000); n += 1 + n / 500) {
        T const at = static_cast<T>(static_cast<long double>(n) * 1.57079632679489661923132169163975144L);
        for (T near : {at, std::nextafter(at, T(0)), std::nextafter(at, 2 * at)}) {
            x.push_back(near);
            x.push_back(-near);
        }
    }
    CHECK(worst<sin_pair>(x) <= turned);
    CHECK(worst<cos_pair>(x) <= turned);
}

TEST_CASE_TEMPLATE("rounding where fractions end", T, float, double) {
    std::vector<T> x;
    for (int e = -3; e <= std::numeric_limits<T>::digits + 1; ++e)
        for (T mantissa : {T(1), T(1.25), T(1.5), T(1.75), 2 - std::numeric_limits<T>::epsilon()}) {
            x.push_back(std::ldexp(mantissa, e));
            x.push_back(-x.back());
        }
    CHECK(worst<floor_pair>(x) == 0);
    CHECK(worst<ceil_pair>(x) == 0);
    CHECK(worst<round_pair>(x) == 0);
    CHECK(std::signbit(math::ceil(simd::batch<T>(T(-0.5)))[0]));
    CHECK(std::signbit(math::round(simd::batch<T>(T(-0.5)))[0]));
}

TEST_CASE_TEMPLATE("powers of all magnitudes", T, float, double) {
    using V = simd::batch<T>;
    double const most = sizeof(T) == 4 ? 88 : 709;
    auto const logs = uniform<double>(-most, most);
    T got[V::size], in[V::size], exponents[V::size];
    for (double spread : {1.0, 1e-3, 0.02}) {   // of the logarithm of x: near 1 exponents are large
        double largest = 0;
        for (std::size_t i = 0; i + V::size <= logs.size(); i += V::size) {
            for (std::size_t j = 0; j < V::size; ++j) {
                in[j] = static_cast<T>(std::exp(logs[(i * 7 + j * 131) % logs.size()] * spread));
                exponents[j] = static_cast<T>(logs[i + j] * 1.05 / std::log(in[j]));   // some results overflow, some are denormal
            }
            simd::store(got, math::pow(simd::load(in), simd::load(exponents)));
            for (std::size_t j = 0; j < V::size; ++j)
                largest =
                    std::max(largest, ulps(got[j], std::pow(static_cast<long double>(in[j]), static_cast<long double>(exponents[j]))));
        }
        CHECK(largest <= 2.0);
    }
}

TEST_CASE_TEMPLATE("pow has the special cases of std::pow", T, float, double) {
    using V = simd::batch<T>;
    auto x = edges<T>(), y = edges<T>();
    for (T a : {T(3), T(7), T(-7), T(0.75), T(1e6), T(1e6 + 1), T(16777215), T(16777216)}) {
        x.push_back(a);
        y.push_back(a);
    }
    for (T a : x) {
        for (T b : y) {
            CAPTURE(a);
            CAPTURE(b);
            T const found = math::pow(V(a), V(b))[0], want = std::pow(a, b);
            REQUIRE(ulps(found, std::pow(static_cast<long double>(a), static_cast<long double>(b))) <= 2.0);
            REQUIRE((std::isnan(want) || std::signbit(found) == std::signbit(want)));
        }
    }
    CHECK(math::pow(V(T(10)), V(T(2)))[0] == 100);
    CHECK(math::pow(simd::batch<std::int32_t>(3), simd::batch<std::int32_t>(4))[0] == 81);
}

namespace {
/// Whether a lane of f(xs) depends on what the other lanes hold.
template<class T, class F>
bool lanes_are_apart(std::vector<T> const& xs, F const& f) {
    using V = simd::batch<T>;
    bool same = true;
    T together[V::size], mixed[V::size];
    simd::store(together, f(simd::load(xs.data())));
    for (T filler : {std::numeric_limits<T>::quiet_NaN(), T(1e30), T(-0.25)}) {
        for (std::size_t lane = 0; lane < V::size; ++lane) {
            std::vector<T> other(V::size, filler);
            other[lane] = xs[lane];
            simd::store(mixed, f(simd::load(other.data())));
            same = same && mixed[lane] == together[lane];
        }
    }
    return same;
}
}   // namespace

TEST_CASE_TEMPLATE("lanes do not see each other", T, float, double) {
    using V = simd::batch<T>;
    auto xs = uniform<T>(-5, 5);
    CHECK(lanes_are_apart(xs, [](V v) { return math::tanh(v); }));
    CHECK(lanes_are_apart(xs, [](V v) { return math::erf(v); }));
    CHECK(lanes_are_apart(xs, [](V v) { return math::pow(math::abs(v), v); }));
    xs[1] = T(2e20);   // one lane too far for the reduction
    CHECK(lanes_are_apart(xs, [](V v) { return math::sin(v); }));
    CHECK(lanes_are_apart(xs, [](V v) { return math::cos(v); }));
}
