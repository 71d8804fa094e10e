// SPDX-License-Identifier: MIT
// Clipping against the numbered cases.
#include <xgrad/optim/clip.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "optim/table.hpp"

using xgrad_test::near;

TEST_CASE_TEMPLATE("G10 clip by norm", T, float, double) {
    std::vector<T> g{-3, 0, 0, 4, 0, 0};
    CHECK(xgrad::clip_by_norm(g.data(), 6, 4.0) == 5.0);
    CHECK(near(g, {-2.4, 0, 0, 3.2, 0, 0}));
    std::vector<T> zero(3, T(0));
    CHECK(xgrad::clip_by_norm(zero.data(), 3, 1.0) == 0.0);
    CHECK(zero == std::vector<T>(3, T(0)));
}

TEST_CASE_TEMPLATE("G11 clip by the norm of all gradients", T, float, double) {
    std::vector<T> a{-2, 0, 0, 4, 0, 0}, b{1, -2};
    double const norm = std::sqrt(xgrad::sum_of_squares(a.data(), 6) + xgrad::sum_of_squares(b.data(), 2));
    CHECK(norm == 5.0);
    auto const factor = static_cast<T>(xgrad::clip_factor(norm, 4.0));
    xgrad::scale(a.data(), 6, factor);
    xgrad::scale(b.data(), 2, factor);
    CHECK(near(a, {-1.6, 0, 0, 3.2, 0, 0}));
    CHECK(near(b, {0.8, -1.6}));
    CHECK(xgrad::clip_factor(0.0, 4.0) == 1.0);
    CHECK(std::isnan(xgrad::clip_factor(std::numeric_limits<double>::infinity(), 4.0)));
}

TEST_CASE_TEMPLATE("G13 clip by value", T, float, double) {
    std::vector<T> g{-3, 4, 0};
    xgrad::clip_by_value(g.data(), 3, 1, 2);
    CHECK(g == std::vector<T>{1, 2, 1});
    T const inf = std::numeric_limits<T>::infinity();
    std::vector<T> edge{std::numeric_limits<T>::quiet_NaN(), inf, -inf};
    xgrad::clip_by_value(edge.data(), 3, -4, 4);
    CHECK(std::isnan(edge[0]));
    CHECK(edge[1] == 4);
    CHECK(edge[2] == -4);
}

TEST_CASE_TEMPLATE("clipping of every size", T, float, double) {
    for (std::int64_t n : {0, 1, 2, 3, 7, 15, 16, 17, 33, 47, 1023, 1024, 1025, 5000}) {
        std::vector<T> g, expected;
        double squares = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            g.push_back(static_cast<T>(i % 17) / 4 - 2);
            squares += static_cast<double>(g.back()) * static_cast<double>(g.back());
            expected.push_back(g.back() * T(0.5));
        }
        CHECK(xgrad::sum_of_squares(g.data(), n) == squares);   // exact: small binary fractions
        xgrad::scale(g.data(), n, T(0.5));
        CHECK(g == expected);
    }
}
