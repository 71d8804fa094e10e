// SPDX-License-Identifier: MIT
// Derivatives of trigonometric and hyperbolic functions, of other bases and roots, compared with mpmath; edges. The values are tested in
// tests/backend/simd_elementary_test.cpp.
#include "ops/special_reference.hpp"

#include <xgrad/ops/exponential_bases.hpp>
#include <xgrad/ops/trigonometric.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using special::batch;
using special::check_derivatives;
}

TEST_CASE("derivatives of tangents, hyperbolic functions and their inverses") {
    check_derivatives("tan", [](auto x) { return xg::tan(x); });
    check_derivatives("asin", [](auto x) { return xg::asin(x); });
    check_derivatives("acos", [](auto x) { return xg::acos(x); });
    check_derivatives("atan", [](auto x) { return xg::atan(x); });
    check_derivatives("sinh", [](auto x) { return xg::sinh(x); });
    check_derivatives("asinh", [](auto x) { return xg::asinh(x); });
    check_derivatives("acosh", [](auto x) { return xg::acosh(x); });
    check_derivatives("atanh", [](auto x) { return xg::atanh(x); });
}

TEST_CASE("derivatives of other bases, roots and reciprocals") {
    check_derivatives("exp2", [](auto x) { return xg::exp2(x); });
    check_derivatives("exp10", [](auto x) { return xg::exp10(x); });
    check_derivatives("log2", [](auto x) { return xg::log2(x); });
    check_derivatives("log10", [](auto x) { return xg::log10(x); });
    check_derivatives("cbrt", [](auto x) { return xg::cbrt(x); });
    check_derivatives("rsqrt", [](auto x) { return xg::rsqrt(x); });
}

TEST_CASE("gradients at the ends, and of angles") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto y = xg::input<"y", double, batch>;
    double const inf = std::numeric_limits<double>::infinity();
    xg::function f{xg::outputs(xg::gradient_of(xg::asin(x), x), xg::gradient_of(xg::acosh(x), x), xg::gradient_of(xg::atanh(x), x),
        xg::gradient_of(xg::cbrt(x), x), xg::gradient_of(xg::asinh(x), x))};
    auto const [sine, cosine, tangent, root, hyperbolic] = f(x = test::list<double>({1, 0, 1e200, 2}));
    CHECK(sine[0] == inf);
    CHECK(cosine[0] == inf);
    CHECK(tangent[0] == inf);
    CHECK(root[1] == inf);
    CHECK(std::isnan(sine[3]));
    CHECK(cosine[2] == doctest::Approx(1e-200).epsilon(1e-12));
    CHECK(hyperbolic[2] == doctest::Approx(1e-200).epsilon(1e-12));
    auto const r = xg::check_gradients(xg::sum(xg::atan2(y, x) * xg::cosh(x)) + xg::sum(xg::square(xg::gradient_of(xg::atan2(y, x), x))),
        xg::wrt(x, y), x = test::list<double>({1.75, -3.3, -0.1, 0.4, 2}), y = test::list<double>({1.3, 0.9, -2.2, -0.7, 0.2}));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE_TEMPLATE("programs in vectors and their tails", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    xg::function f{xg::outputs(xg::sinh(x) + xg::cosh(x), xg::tan(xg::atan(x)), xg::exp10(xg::log10(x)) - xg::exp2(xg::log2(x)))};
    for (std::int64_t const n : {1, 37}) {
        auto const v = test::numbers<T>({n}, 0.1, 3);
        auto const [e, same, zero] = f(x = v);
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(static_cast<double>(e[i]) == doctest::Approx(std::exp(static_cast<double>(v[i]))).epsilon(1e-6));
            CHECK(static_cast<double>(same[i]) == doctest::Approx(static_cast<double>(v[i])).epsilon(1e-6));
            CHECK(std::abs(zero[i]) < 4e-6);
        }
    }
}
