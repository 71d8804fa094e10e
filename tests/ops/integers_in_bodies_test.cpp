// SPDX-License-Identifier: MIT
// Bodies with derivatives by the user that read integers as numbers: outer ones, and arguments. They have no gradient.
#include <support/tensor.hpp>

#include <xgrad/grad/with_jvp.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", double, 3>;
constexpr auto t = xg::input<"t", double, 3>;
constexpr auto labels = xg::input<"labels", std::int32_t, 3>;
constexpr auto weights = xg::input<"weights", double, 3>;

struct distance : xg::region {
    static constexpr auto value(auto a) { return xg::square(a - xg::cast<double>(labels)); }
};
struct distance_back : xg::region {
    static constexpr auto value(auto a, auto, auto g) { return 3_c * g * (a - xg::cast<double>(labels)); }
};
struct distance_along : xg::region {
    static constexpr auto value(auto a, auto of_a) { return 3_c * of_a * (a - xg::cast<double>(labels)); }
};
struct to_given : xg::region {
    static constexpr auto value(auto a, auto label) { return xg::square(a - xg::cast<double>(label)); }
};
struct to_given_back : xg::region {
    static constexpr auto value(auto a, auto label, auto, auto g) { return 3_c * g * (a - xg::cast<double>(label)); }
};
struct to_given_along : xg::region {
    static constexpr auto value(auto a, auto label, auto of_a) { return 3_c * of_a * (a - xg::cast<double>(label)); }
};
// Numbers of integers in other operations, and a value without a gradient.
struct shifted : xg::region {
    static constexpr auto value(auto a) { return a + xg::exp(xg::sum(xg::cast<double>(labels) * 0.25_c)) + xg::stop_gradient(weights); }
};
struct shifted_back : xg::region {
    static constexpr auto value(auto, auto, auto g) { return 2_c * g; }
};
}

TEST_CASE("labels as numbers in the bodies of custom_gradient and with_jvp, read and passed") {
    constexpr auto read = xg::custom_gradient<distance, distance_back>(x);
    constexpr auto given = xg::custom_gradient<to_given, to_given_back>(x, labels);
    constexpr auto along = xg::with_jvp<distance, distance_along>(x);
    constexpr auto given_along = xg::with_jvp<to_given, to_given_along>(x, labels);
    xg::function f{xg::outputs(read, xg::gradient_of(xg::sum(read), x), given, xg::gradient_of(xg::sum(given), x), along,
        xg::gradient_of(xg::sum(along), x), given_along, xg::gradient_of(xg::sum(given_along), x), xg::jvp(read, x, t),
        xg::jvp(given, x, t), xg::jvp(along, x, t), xg::jvp(given_along, x, t))};
    auto const X = test::list<double>({0.5, -1, 2}), T = test::list<double>({1, 2, -3});
    auto const L = test::list<std::int32_t>({1, 0, -2});
    auto const [y1, g1, y2, g2, y3, g3, y4, g4, t1, t2, t3, t4] = f(x = X, t = T, labels = L);
    for (int i = 0; i < 3; ++i) {
        double const off = X[i] - L[i];
        for (auto const* y : {&y1, &y2, &y3, &y4}) CHECK((*y)[i] == off * off);
        for (auto const* g : {&g1, &g2, &g3, &g4}) CHECK((*g)[i] == 3 * off);
        for (auto const* d : {&t1, &t2, &t3, &t4}) CHECK((*d)[i] == 3 * T[i] * off);
    }
}
TEST_CASE("a gradient by the numbers that a body reads is none") {
    constexpr auto numbers = xg::cast<double>(labels);
    constexpr auto y = xg::custom_gradient<shifted, shifted_back>(x);
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(y), numbers))>);
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(y), weights))>);
    xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(y), x))};
    auto const X = test::list<double>({0.5, -1, 2});
    auto const [value, g] = f(x = X, weights = test::list<double>({1, 2, 3}), labels = test::list<std::int32_t>({1, 5, -2}));
    for (int i = 0; i < 3; ++i) {
        CHECK(value[i] == doctest::Approx(X[i] + std::exp(1.0) + i + 1).epsilon(1e-14));
        CHECK(g[i] == 2);
    }
}
