// SPDX-License-Identifier: MIT
// vjp, jvp, hvp and gauss_newton_vp: loops, second use, shapes, lengths of SIMD, what is not connected, and the steps of a plan.
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
constexpr auto x = xg::input<"x", double, turns, batch, 3>;
constexpr auto h = xg::input<"h", double, batch, 3>;
constexpr auto w = xg::input<"w", double, 3, 3>;
constexpr auto t = xg::input<"t", double, 3, 3>;
constexpr auto seed = xg::input<"seed", double, batch, 3>;
struct cell : xg::region {
    static constexpr auto value(auto before, auto row) {
        auto const next = xg::tanh(xg::matmul(before, w) + row);
        return xg::carry(next).emit(next * next);
    }
};
constexpr auto y = xg::sum<0>(std::get<1>(xg::scan<cell>(xg::carry(h), x)));
}
struct root : xg::region {
    static constexpr auto value(auto a) { return xg::sin(xg::sqrt(a)); }
};
template<class F>
auto call(F& f) {
    static auto const X = numbers(10, {4, 2, 3}), H = numbers(11, {2, 3}), W = numbers(12, {3, 3}), T = numbers(13, {3, 3}),
                      S = numbers(14, {2, 3});
    return f(loop::x = X, loop::h = H, loop::w = W, loop::t = T, loop::seed = S);
}
template<class F>
constexpr int loops() {
    int n = 0;
    for (auto const& s : F::program_type::plan.steps) n += s.kind == xg::planner::step_kind::region;
    return n;
}
}

TEST_CASE("derivatives of a loop against JAX") {
    constexpr auto hvp = xg::hvp(xg::sum(loop::y * loop::seed), loop::w, loop::t);
    xg::function f{xg::outputs(loop::y, xg::jvp(loop::y, loop::w, loop::t), xg::vjp(loop::y, loop::w, loop::seed), hvp)};
    auto const [y, jvp, vjp, second] = call(f);
    check_jax("loop y", y, 1e-14);
    check_jax("loop jvp", jvp, 1e-14);
    check_jax("loop vjp", vjp, 1e-14);
    check_jax("loop hvp", second, 1e-13);
}
TEST_CASE("the derivative along a direction is forward: no loop runs in the opposite direction") {
    constexpr auto jvp = xg::jvp(loop::y, loop::w, loop::t);
    using F = decltype(xg::function{jvp});
    static_assert(loops<F>() == 2);   // h for each iteration, then the tangents
    CHECK(xg::describe<F>().find("steps      4") == 0);
    CHECK(xg::describe<F>().find("seed") == std::string::npos);
    // of a product: the value, then its tangent
    constexpr auto tangent = xg::jvp(xg::tanh(xg::matmul(loop::h, loop::w)), loop::w, loop::t);
    CHECK(xg::describe<decltype(xg::function{tangent})>().find("steps      2") == 0);
}
TEST_CASE("derivatives of derivatives along directions: of a loop, and of several orders of a function") {
    constexpr auto along = xg::sum(xg::jvp(loop::y, loop::w, loop::t) * loop::seed);
    xg::function f{xg::outputs(xg::gradient_of(along, loop::w), xg::jvp(along, loop::w, loop::t))};
    auto const [gradient, twice] = call(f);
    check_jax("loop hvp", gradient, 1e-13);
    auto const& hvp = derivatives::of_jax("loop hvp");
    auto const t = numbers(13, {3, 3});
    double expected = 0;
    for (std::int64_t i = 0; i < 9; ++i) expected += hvp[static_cast<std::size_t>(i)] * t[i];
    CHECK(static_cast<double>(twice) == doctest::Approx(expected).epsilon(1e-12));

    constexpr auto x = xg::input<"x", double, 5>;
    constexpr auto one = xg::broadcast_to<5>(xg::constant<double, 1>);
    constexpr auto first = xg::jvp(xg::exp(2_c * x), x, one);
    constexpr auto second = xg::jvp(first, x, one);
    xg::function g{xg::outputs(xg::exp(2_c * x), first, second, xg::jvp(second, x, one))};
    auto const [y, d, dd, ddd] = g(x = test::numbers<double>({5}));
    for (int i = 0; i < 5; ++i) {
        CHECK(d[i] == doctest::Approx(2 * y[i]));
        CHECK(dd[i] == doctest::Approx(4 * y[i]));
        CHECK(ddd[i] == doctest::Approx(8 * y[i]));
    }
}
TEST_CASE_TEMPLATE("lengths around those of SIMD, none and one; operands that are broadcast", T, XGRAD_TESTED_TYPES) {
    constexpr auto x = xg::input<"x", T, batch, 1>;
    constexpr auto row = xg::input<"row", T, turns>;
    constexpr auto tx = xg::input<"tx", T, batch, 1>;
    constexpr auto tr = xg::input<"tr", T, turns>;
    constexpr auto s = xg::input<"s", T, batch, turns>;
    constexpr auto y = xg::exp(x * row) + row;
    constexpr auto second = xg::hvp(xg::sum(y), std::tuple(x, row), std::tuple(tx, tr));
    xg::function f{xg::outputs(xg::jvp(y, std::tuple(x, row), std::tuple(tx, tr)), xg::vjp(y, row, s), std::get<0>(second))};
    for (std::int64_t n : {0, 1, 3, 4, 7, 8, 9, 17, 33})
        for (std::int64_t rows : {1, 2}) {
            auto const X = test::numbers<T>({rows, 1}), R = test::numbers<T>({n}, -1, 1, 2), TX = test::numbers<T>({rows, 1}, -1, 1, 3),
                       TR = test::numbers<T>({n}, -1, 1, 4), S = test::numbers<T>({rows, n}, -1, 1, 5);
            auto const [along, back, curved] = f(x = X, row = R, tx = TX, tr = TR, s = S);
            std::vector<double> of_y, of_row(static_cast<std::size_t>(n)), of_x;
            for (std::int64_t r = 0; r < rows; ++r) {
                of_x.push_back(0);
                for (std::int64_t i = 0; i < n; ++i) {
                    double const a = X[r], b = R[i], e = std::exp(a * b), da = TX[r], db = TR[i];
                    of_y.push_back(e * (da * b + a * db) + db);
                    of_row[static_cast<std::size_t>(i)] += S[r * n + i] * (e * a + 1);
                    of_x.back() += e * b * b * da + e * (1 + a * b) * db;
                }
            }
            constexpr double tolerance = sizeof(T) == 4 ? 2e-6 : 2e-14;
            check_all("jvp", along, of_y, tolerance);
            check_all("vjp", back, of_row, tolerance);
            check_all("hvp", curved, of_x, tolerance);
        }
}
TEST_CASE("what y does not depend on: zeros of the right shape and type") {
    constexpr auto x = xg::input<"x", float, 3>;
    constexpr auto other = xg::input<"other", float, batch, 2>;
    constexpr auto t = xg::input<"t", float, 3>;
    constexpr auto s = xg::input<"s", float, batch, 2>;
    constexpr auto linear = xg::hvp(xg::sum(x) + xg::sum(other), x, t);
    constexpr auto absent = xg::hvp(xg::sum(other), x, t);
    constexpr auto blocked = xg::jvp(xg::square(xg::stop_gradient(x)), x, t);
    xg::function f{xg::outputs(xg::jvp(other, x, t), xg::vjp(other, x, s), linear, absent, blocked, xg::gauss_newton_vp(other, x, t))};
    auto const check_zeros = [](auto const& view, std::vector<std::int64_t> const& shape) {
        CHECK(std::vector<std::int64_t>(view.shape().begin(), view.shape().end()) == shape);
        for (auto const v : view) CHECK(v == 0);
    };
    auto const [a, b, c, d, e, g] = f(other = test::numbers<float>({5, 2}), x = test::numbers<float>({3}), t = test::numbers<float>({3}),
        s = test::numbers<float>({5, 2}));
    check_zeros(a, {5, 2});
    check_zeros(b, {3});
    check_zeros(c, {3});
    check_zeros(d, {3});
    check_zeros(e, {3});
    check_zeros(g, {3});
}
TEST_CASE("y is x, inner expressions as x, literals as vectors") {
    constexpr auto x = xg::input<"x", double, 4>;
    constexpr auto t = xg::input<"t", double, 4>;
    constexpr auto h = xg::exp(x);
    constexpr auto y = xg::sum(xg::square(h) * x);   // as a function of h: the Hessian is 2 x
    xg::function f{xg::outputs(
        xg::jvp(x, x, t), xg::jvp(h * h, h, t), xg::hvp(y, h, t), xg::vjp(y, x, 1_c), xg::vjp(y, x, xg::constant<double, 1>), h)};
    auto const X = test::numbers<double>({4}), T = test::numbers<double>({4}, -1, 1, 2);
    auto const [self, square, inner, literal, one, e] = f(x = X, t = T);
    for (int i = 0; i < 4; ++i) {
        CHECK(self[i] == T[i]);
        CHECK(square[i] == doctest::Approx(2 * e[i] * T[i]));
        CHECK(inner[i] == doctest::Approx(2 * X[i] * T[i]));
        CHECK(literal[i] == doctest::Approx(e[i] * e[i] * (2 * X[i] + 1)));
        CHECK(one[i] == literal[i]);
    }
}
TEST_CASE("roots pass a derivative along a direction, also in a body, and where the root and the direction are 0") {
    constexpr auto x = xg::input<"x", double, 4>;
    constexpr auto t = xg::input<"t", double, 4>;
    constexpr auto y = xg::sin(xg::sqrt(x));
    xg::function f{xg::outputs(xg::jvp(y, x, t), xg::jvp(xg::call<root>(x), x, t), xg::jvp(xg::gradient_of(y, x), x, t))};
    std::vector<double> const X{4, 0, 0.25, 1}, T{1, 0, -2, 0};
    auto const [plain, in_body, second] = f(x = X, t = T);
    for (std::int64_t i = 0; i < 4; ++i) {
        auto const k = static_cast<std::size_t>(i);
        double const r = std::sqrt(X[k]);
        double const e = T[k] == 0 ? 0 : std::cos(r) / (2 * r) * T[k];
        CHECK(plain[i] == doctest::Approx(e));
        CHECK(in_body[i] == doctest::Approx(e));
        if (X[k] > 0) CHECK(second[i] == doctest::Approx(-(std::sin(r) + std::cos(r) / r) / (4 * r * r) * T[k]));
    }
}
