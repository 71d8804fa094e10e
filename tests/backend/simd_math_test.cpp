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
    if ((std::isnan(got) && std::isnan(rounded)) || got == rounded) { return 0; }
    if (!std::isfinite(got) || !std::isfinite(rounded)) { return 1e30; }
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
    for (T& x : v) { x = static_cast<T>(dist(engine)); }
    return v;
}
/// Values of all magnitudes between e^low and e^high.
template<class T>
std::vector<T> spread(double low, double high, bool both_signs) {
    auto v = uniform<T>(0, 1);
    std::mt19937_64 engine(4);
    std::uniform_real_distribution<double> dist(low, high);
    for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = static_cast<T>(std::exp(dist(engine))) * (both_signs && i % 2 == 0 ? T(-1) : T(1));
    }
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
    CHECK(worst<sin_pair>(uniform<T>(-100, 100)) <= 1.5);
    CHECK(worst<cos_pair>(uniform<T>(-100, 100)) <= 1.5);
    CHECK(worst<erf_pair>(uniform<T>(-5, 5)) <= 1.5);
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
}

TEST_CASE_TEMPLATE("pow has the special cases of std::pow", T, float, double) {
    using V = simd::batch<T>;
    T const inf = std::numeric_limits<T>::infinity();
    for (T x : {T(-2), T(0), T(0.5), T(3), inf, -inf}) {
        for (T y : {T(-3), T(-1), T(0), T(0.5), T(2), T(3), inf}) {
            CHECK(ulps(math::pow(V(x), V(y))[0], std::pow(static_cast<long double>(x), static_cast<long double>(y))) <= 1.0);
        }
    }
}

TEST_CASE_TEMPLATE("lanes do not see each other", T, float, double) {
    using V = simd::batch<T>;
    auto const xs = uniform<T>(-5, 5);
    T together[V::size], mixed[V::size];
    simd::store(together, math::tanh(simd::load(xs.data())));
    for (std::size_t lane = 0; lane < V::size; ++lane) {
        std::vector<T> other(V::size, std::numeric_limits<T>::quiet_NaN());
        other[lane] = xs[lane];
        simd::store(mixed, math::tanh(simd::load(other.data())));
        CHECK(mixed[lane] == together[lane]);
    }
}
