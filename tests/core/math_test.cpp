// SPDX-License-Identifier: MIT
// Mathematics on scalars, and the lookup of the functions of a foreign batch type.
#include <xgrad/core/math.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

}   // namespace

namespace foreign {
// A batch of one lane, with the functions that xgrad::math looks for.
struct one {
    using value_type = double;
    double v;
    one() = default;
    explicit one(double x) : v(x) {}
    friend bool operator>(one a, one b) { return a.v > b.v; }
    friend bool operator<(one a, one b) { return a.v < b.v; }
    friend bool operator!=(one a, one b) { return a.v != b.v; }
};
inline one exp(one) { return one(42); }
inline one max(one a, one) { return a; }
inline one fma(one a, one b, one c) { return one(a.v * b.v + c.v); }
inline one select(bool m, one a, one b) { return m ? a : b; }
}   // namespace foreign

namespace math = xgrad::math;

TEST_CASE("scalars are those of cmath") {
    CHECK(math::exp(1.0) == std::exp(1.0));
    CHECK(math::tanh(0.3f) == std::tanh(0.3f));
    CHECK(math::log1p(0.5) == std::log1p(0.5));
    CHECK(math::pow(2.0, 10.0) == 1024.0);
    CHECK(math::sqrt(9.0f) == 3.0f);
    CHECK(math::abs(-3) == 3);
    CHECK(math::abs(std::int64_t(-5000000000)) == 5000000000);
    CHECK(math::abs(std::numeric_limits<std::int32_t>::min()) == std::numeric_limits<std::int32_t>::min());
    CHECK(math::abs(std::numeric_limits<std::int64_t>::min()) == std::numeric_limits<std::int64_t>::min());
    CHECK(math::floor(-1.5) == -2.0);
    CHECK(math::ceil(-1.5) == -1.0);
    CHECK(math::round(2.5) == 2.0);
    CHECK(math::round(-3.5f) == -4.0f);
    CHECK(math::sigmoid(0.0) == 0.5);
    CHECK(math::fma(2, 3, 4) == 10);
    CHECK(math::fma(2.0, 3.0, 4.0) == 10.0);
    CHECK(math::copysign(2.0f, -0.0f) == -2.0f);
}

TEST_CASE("max and min give the second argument where one is NaN") {
    CHECK(std::isnan(math::max(0.0f, nan_value)));
    CHECK(math::max(nan_value, 0.0f) == 0.0f);
    CHECK(std::isnan(math::min(0.0f, nan_value)));
    CHECK(math::min(3, 2) == 2);
    CHECK(math::max(3.0, 2.0) == 3.0);
}

TEST_CASE("truth values are numbers") {
    CHECK(math::greater(2.0f, 1.0f) == 1.0f);
    CHECK(math::greater(1.0f, 1.0f) == 0.0f);
    CHECK(math::greater_equal(1.0, 1.0) == 1.0);
    CHECK(math::less(1, 2) == 1);
    CHECK(math::less_equal(2, 1) == 0);
    CHECK(math::equal(nan_value, nan_value) == 0.0f);
    CHECK(math::not_equal(nan_value, nan_value) == 1.0f);
    static_assert(math::greater(2, 1) == 1);
}

TEST_CASE("where does not blend") {
    CHECK(math::where(1.0f, 2.0f, nan_value) == 2.0f);
    CHECK(math::where(0.0f, inf, 3.0f) == 3.0f);
    CHECK(math::where(nan_value, 1.0f, 2.0f) == 1.0f);   // NaN is not 0
    CHECK(math::select(false, inf, 3.0f) == 3.0f);
    CHECK(math::sign(-3.0) == -1.0);
    CHECK(math::sign(0) == 0);
    CHECK(std::signbit(math::sign(-0.0)));
    CHECK(std::isnan(math::sign(nan_value)));
}

TEST_CASE("batches are found by argument-dependent lookup") {
    foreign::one const x(1), y(2);
    CHECK(math::exp(x).v == 42.0);
    CHECK(math::max(x, y).v == 1.0);
    CHECK(math::fma(x, y, y).v == 4.0);
    CHECK(math::greater(y, x).v == 1.0);
    CHECK(math::where(y, x, y).v == 1.0);
    static_assert(std::is_same_v<math::scalar_of<foreign::one>, double>);
    static_assert(std::is_same_v<math::scalar_of<float>, float>);
    static_assert(math::Batch<foreign::one> && !math::Batch<double> && math::Scalar<int>);
}
