// SPDX-License-Identifier: MIT
// Rounding and remainders compared with NumPy, in floating point and whole numbers; limits; what is NaN or infinite.
#include "ops/elementary_reference.hpp"

#include <xgrad/ops/classify.hpp>
#include <xgrad/ops/rounding.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class A>
void are(A const& found, std::initializer_list<double> expected) {
    REQUIRE(static_cast<std::size_t>(found.size()) == expected.size());
    std::int64_t i = 0;
    for (double const e : expected) CHECK(static_cast<double>(found[i++]) == e);
}
}

TEST_CASE("rounding and remainders are NumPy's, to the last bit and with the sign of zero") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    xg::function f{xg::outputs(xg::floor(x), xg::ceil(x), xg::round(x), xg::trunc(x))};
    auto const [down, up, nearest, cut] = f(x = elementary::reference("rounded"));
    elementary::compare("floor", down, 0);
    elementary::compare("ceil", up, 0);
    elementary::compare("round", nearest, 0);
    elementary::compare("trunc", cut, 0);
    xg::function g{xg::outputs(xg::mod(x, y), xg::fmod(x, y), xg::floor_divide(x, y))};
    auto const [floored, truncated, quotient] = g(x = elementary::reference("a"), y = elementary::reference("b"));
    elementary::compare("mod", floored, 0);
    elementary::compare("fmod", truncated, 0);
    elementary::compare("floor_divide", quotient, 0);
}

TEST_CASE("one element is a lane of a batch") {
    for (std::int64_t n : {1, 37}) {
        constexpr auto x = xg::input<"x", float, batch>;
        constexpr auto y = xg::input<"y", float, batch>;
        xg::function f{xg::outputs(xg::round(x), xg::trunc(x), xg::mod(x, y), xg::fmod(x, y))};
        auto const a = test::numbers<float>({n}, -9, 9), b = test::numbers<float>({n}, -2, 2, 2);
        auto const [nearest, cut, floored, truncated] = f(x = a, y = b);
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(nearest[i] == std::nearbyint(a[i]));
            CHECK(cut[i] == std::trunc(a[i]));
            CHECK(truncated[i] == std::fmod(a[i], b[i]));
            CHECK((floored[i] == 0 || (floored[i] < 0) == (b[i] < 0)));
            CHECK(std::remainder(static_cast<double>(floored[i]) - static_cast<double>(truncated[i]), static_cast<double>(b[i])) ==
                  doctest::Approx(0).epsilon(1e-6));
        }
    }
}

TEST_CASE_TEMPLATE("remainders of whole numbers have the sign of the divisor or of the dividend", T, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    T const least = std::numeric_limits<T>::min();
    xg::function f{xg::outputs(xg::mod(x, y), xg::fmod(x, y), xg::floor_divide(x, y))};
    auto const [floored, truncated, quotient] =
        f(x = test::list<T>({7, -7, 7, -7, 6, -6, 5, least, least}), y = test::list<T>({2, 2, -2, -2, 3, -3, 0, -1, 2}));
    are(floored, {1, 1, -1, -1, 0, 0, 0, 0, 0});
    are(truncated, {1, -1, 1, -1, 0, 0, 0, 0, 0});
    are(quotient, {3, -4, -4, 3, 2, 2, 0, static_cast<double>(least), static_cast<double>(least / 2)});
}

TEST_CASE("gradients of remainders, limits and rounding") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    constexpr auto low = xg::input<"low", double>;
    constexpr auto high = xg::input<"high", double>;
    constexpr auto clipped = xg::clip(x, low, high);
    xg::function f{xg::outputs(xg::gradient_of(xg::mod(x, y), x), xg::gradient_of(xg::mod(x, y), y), xg::gradient_of(xg::fmod(x, y), y),
        xg::gradient_of(xg::floor(x) + xg::ceil(x) + xg::round(x) + xg::trunc(x) + xg::floor_divide(x, y), x), clipped,
        xg::gradient_of(clipped, x), xg::gradient_of(clipped, low), xg::gradient_of(clipped, high))};
    double const nan = std::numeric_limits<double>::quiet_NaN();
    auto const [of_x, of_y, of_divisor, rounded, kept, inside, below, above] =
        f(x = test::list<double>({7.5, -7.5, 0.25, -1, 3, nan}), y = test::list<double>({2, 2, -2, 4, 4, 1}), low = -1.0, high = 3.0);
    are(of_x, {1, 1, 1, 1, 1, 1});
    for (int i = 0; i < 5; ++i) {
        CHECK(of_y[i] == std::initializer_list<double>{-3, 4, 1, 1, 0}.begin()[i]);
        CHECK(of_divisor[i] == std::initializer_list<double>{-3, 3, 0, 0, 0}.begin()[i]);
        CHECK(kept[i] == std::initializer_list<double>{3, -1, 0.25, -1, 3}.begin()[i]);
    }
    CHECK(std::isnan(kept[5]));
    are(rounded, {0, 0, 0, 0, 0, 0});
    are(inside, {0, 0, 1, 1, 1, 1});
    CHECK(below == 1);
    CHECK(above == 1);
    // with limits in the other order the least wins, as in TensorFlow
    xg::function g{xg::clip(x, 3_c, -1_c)};
    are(g(x = test::list<double>({5, 0, -5})), {3, 3, 3});
    auto const r = xg::check_gradients(xg::sum(xg::square(xg::mod(x, y)) * xg::fmod(x, y)) + xg::sum(xg::square(xg::clip(x, y, 2.5_c))),
        xg::wrt(x, y), x = test::list<double>({1.75, -3.3, 5.1, 0.4}), y = test::list<double>({1.3, 0.9, -2.2, 0.7}));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE_TEMPLATE("what is NaN, infinite or finite; the exclusive or", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto p = xg::input<"p", bool, batch>;
    T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    xg::function f{xg::outputs(xg::isnan(x), xg::isinf(x), xg::isfinite(x), xg::logical_xor(p, xg::isnan(x)))};
    auto const [is_nan, is_inf, is_finite, differ] =
        f(x = test::list<T>({0, inf, -inf, nan, -nan, std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min()}),
            p = test::list<bool>({true, false, true, false, true, false, true}));
    are(is_nan, {0, 0, 0, 1, 1, 0, 0});
    are(is_inf, {0, 1, 1, 0, 0, 0, 0});
    are(is_finite, {1, 0, 0, 0, 0, 1, 1});
    are(differ, {1, 0, 1, 1, 0, 0, 1});
}
