// SPDX-License-Identifier: MIT
// Jacobians and Hessians: named dimensions, lengths of SIMD, none and one element, loops, derivatives of a Jacobian.
#include "derivatives.hpp"

#include <support/copy.hpp>
#include <support/tested_types.hpp>

#include <xgrad/inspect/describe.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using derivatives::check_all, derivatives::check_jax, derivatives::numbers;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim turns{"turns"};

namespace loop {   // of reference/derivatives.py
constexpr auto x = xg::input<"x", double, turns, 2, 3>;
constexpr auto h = xg::input<"h", double, 2, 3>;
constexpr auto w = xg::input<"w", double, 3, 3>;
constexpr auto seed = xg::input<"seed", double, 2, 3>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const next = xg::tanh(xg::matmul(before, w) + row);
        return xg::carry(next).emit(next * next);
    }
};
constexpr auto y = xg::sum<0>(std::get<1>(xg::scan<cell>(xg::carry(h), x)));
}
}

TEST_CASE("a Jacobian by rows, by columns and a Hessian through a loop, against JAX") {
    xg::function f{xg::outputs(xg::jacobian(loop::y, loop::w), xg::hessian(xg::sum(loop::y * loop::seed), loop::w))};   // 6 rows of 9
    auto const X = numbers(10, {4, 2, 3}), H = numbers(11, {2, 3}), W = numbers(12, {3, 3}), S = numbers(14, {2, 3});
    auto const [jacobian, hessian] = f(loop::x = X, loop::h = H, loop::w = W, loop::seed = S);
    check_jax("loop jacobian", jacobian, 1e-13);
    check_jax("loop hessian", hessian, 1e-13);
    // the same rows twice, so that there are fewer columns
    xg::function g{xg::jacobian(xg::concat<0>(loop::y, loop::y), loop::w)};
    auto const both = g(loop::x = X, loop::h = H, loop::w = W);
    auto expected = derivatives::of_jax("loop jacobian");
    expected.insert(expected.end(), expected.begin(), expected.begin() + 54);
    check_all("by columns", both, expected, 1e-13);
}
TEST_CASE_TEMPLATE("named dimensions and lengths around those of SIMD, none and one", T, XGRAD_TESTED_TYPES) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto row = xg::input<"row", T, turns>;
    constexpr auto y = xg::exp(xg::expand_dims<1>(x) * row);   // [batch, turns]
    xg::function f{xg::outputs(xg::jacobian(y, row), xg::hessian(xg::sum(y), row))};
    for (std::int64_t n : {0, 1, 3, 4, 7, 9, 17}) {
        auto const X = test::numbers<T>({2}), R = test::numbers<T>({n}, -1, 1, 2);
        auto const [jacobian, hessian] = f(x = X, row = R);
        REQUIRE(jacobian.shape() == std::array<std::int64_t, 3>{2, n, n});
        std::vector<double> first(static_cast<std::size_t>(2 * n * n)), second(static_cast<std::size_t>(n * n));
        for (std::int64_t r = 0; r < 2; ++r)
            for (std::int64_t i = 0; i < n; ++i) {
                double const a = X[r], e = std::exp(a * static_cast<double>(R[i]));
                first[static_cast<std::size_t>((r * n + i) * n + i)] = a * e;
                second[static_cast<std::size_t>(i * n + i)] += a * a * e;
            }
        constexpr double tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
        check_all("Jacobian", jacobian, first, tolerance);
        check_all("Hessian", hessian, second, tolerance);
    }
}
TEST_CASE("a Jacobian is differentiated again, also by inner expressions, and a Jacobian of a Jacobian") {
    constexpr auto x = xg::input<"x", double, 4>;
    constexpr auto w = xg::input<"w", double, 4, 3>;
    constexpr auto h = xg::tanh(x);
    constexpr auto y = xg::exp(xg::reshape<3>(xg::matmul(xg::expand_dims<0>(h), w)));
    constexpr auto jacobian = xg::jacobian(y, h);   // exp(h w)[i] w[j, i]
    constexpr auto size = xg::sum(xg::square(jacobian));
    xg::function f{xg::outputs(jacobian, y, h, xg::gradient_of(size, h), xg::gradient_of(size, x), xg::gradient_of(size, w))};
    auto const X = test::numbers<double>({4}), W = test::numbers<double>({4, 3}, -1, 1, 2);
    auto const [j, e, t, of_h, of_x, of_w] = f(x = X, w = W);
    std::vector<double> exact_j, exact_h(4), exact_x, exact_w(12);
    for (int i = 0; i < 3; ++i) {
        double squares = 0;
        for (int k = 0; k < 4; ++k) {
            exact_j.push_back(e[i] * W[3 * k + i]);
            squares += W[3 * k + i] * W[3 * k + i];
        }
        for (int k = 0; k < 4; ++k) {
            exact_h[static_cast<std::size_t>(k)] += 2 * e[i] * e[i] * squares * W[3 * k + i];
            exact_w[static_cast<std::size_t>(3 * k + i)] = 2 * e[i] * e[i] * (squares * t[k] + W[3 * k + i]);
        }
    }
    for (int k = 0; k < 4; ++k) exact_x.push_back(exact_h[static_cast<std::size_t>(k)] * (1 - t[k] * t[k]));
    check_all("Jacobian", j, exact_j, 1e-14);
    check_all("by h", of_h, exact_h, 1e-13);
    check_all("by x", of_x, exact_x, 1e-13);
    check_all("by w", of_w, exact_w, 1e-13);

    constexpr auto third = xg::jacobian(xg::hessian(xg::sum(xg::exp(x) * x), x), x);   // [4, 4, 4], only the diagonal
    xg::function g{third};
    auto const r = g(x = X);
    std::vector<double> exact(64);
    for (int k = 0; k < 4; ++k) exact[static_cast<std::size_t>(21 * k)] = std::exp(X[k]) * (X[k] + 3);
    check_all("third derivatives", r, exact, 1e-13);
}
TEST_CASE("one element of y or of x needs no loop; a y that does not depend on x has zeros") {
    constexpr auto x = xg::input<"x", double, 1, 3>;
    constexpr auto s = xg::input<"s", double>;
    constexpr auto other = xg::input<"other", double, batch>;
    constexpr auto square = xg::square(x);
    constexpr auto of_scalar = xg::jacobian(xg::sum(square), x);
    constexpr auto of_one = xg::jacobian(xg::reshape<1, 1>(xg::sum(square)), x);
    constexpr auto by_scalar = xg::jacobian(square * s, s);
    constexpr auto zeros = xg::jacobian(other, x);
    xg::function f{xg::outputs(of_scalar, of_one, by_scalar, zeros)};
    for (auto const& step : decltype(f)::program_type::plan.steps) CHECK(step.kind != xg::planner::step_kind::region);
    auto const X = test::list<double>({1, 2, 3});
    test::tensor<double> rows({1, 3});
    std::copy(X.begin(), X.end(), rows.data());
    auto const [a, b, c, d] = f(x = rows, s = 2.0, other = test::list<double>({1, 2}));
    REQUIRE(b.shape() == std::array<std::int64_t, 4>{1, 1, 1, 3});
    REQUIRE(c.shape() == std::array<std::int64_t, 2>{1, 3});
    REQUIRE(d.shape() == std::array<std::int64_t, 3>{2, 1, 3});
    for (int i = 0; i < 3; ++i) {
        CHECK(a[i] == 2 * X[i]);
        CHECK(b[i] == 2 * X[i]);
        CHECK(c[i] == X[i] * X[i]);
    }
    for (double const v : d) CHECK(v == 0);
}
