// SPDX-License-Identifier: MIT
// LU factors, exponentials, pseudo-inverses, ranks, least squares and powers compared with JAX: values and gradients.
// tests/reference/matrix_functions.py. Broadcast systems, second derivatives by finite differences.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/linalg/lu.hpp>
#include <xgrad/ops/linalg/matrix_functions.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim n{"n"};

test::tensor<double> known(std::string const& name, std::vector<std::int64_t> shape) {
    static auto const all = test::read_reference("matrix_functions.txt");
    test::tensor<double> r(std::move(shape));
    std::vector<double> const& numbers = all.at(name);
    REQUIRE(static_cast<std::int64_t>(numbers.size()) == r.size());
    std::copy(numbers.begin(), numbers.end(), r.data());
    return r;
}
template<class R>
void check_known(std::string const& name, R const& result, double tolerance = 1e-10) {
    auto const e = known(name, {result.size()});
    test::check_near(
        name.c_str(), result, [&](std::int64_t i) { return static_cast<long double>(e[i]); }, tolerance);
}
constexpr auto a = xg::input<"a", double, batch, n, n>;
constexpr auto tall = xg::input<"tall", double, batch, 5, 3>;
constexpr auto wide = xg::input<"wide", double, batch, 3, 5>;
constexpr auto b5 = xg::input<"b5", double, batch, 5, 2>;
constexpr auto b3 = xg::input<"b3", double, batch, 3, 2>;
/// Σ 0.1 y[0] + 0.2 y[1] + ...
template<class Y, class X>
constexpr auto slope(Y const& y, X const& x) {
    constexpr xg::extent size = xg::value_of<Y>.dims.size();
    auto const weights = 0.1_c * (1_c + xg::cast<double>(xg::detail::positions_along<size>{}));
    return xg::gradient_of(xg::sum(weights * xg::detail::reshaped_to<xg::shape{1, {size}}>(y)), x);
}
}

TEST_CASE("LU factors, exponentials and powers") {
    constexpr auto lu = std::get<0>(xg::lu(a));
    constexpr auto parts = xg::lu_factors(a);
    constexpr auto whole = xg::matmul(std::get<0>(parts), xg::matmul(std::get<1>(parts), std::get<2>(parts)));
    constexpr auto e = xg::expm(a);
    constexpr auto cube = xg::matrix_power<-3>(a);
    constexpr auto seven = xg::matrix_power<7>(a);
    xg::function f{xg::outputs(lu, slope(lu, a), std::get<1>(xg::lu(a)), whole, e, slope(e, a), cube, slope(cube, a),
        xg::matrix_power<2>(a), seven, slope(seven, a), xg::matrix_power<0>(a))};
    auto const x = known("a", {2, 4, 4});
    auto const [packed, g, rows, again, y, gy, c, gc, square, s, gs, one] = f(a = x);
    check_known("lu", packed);
    check_known("lu.x", g);
    check_known("rows", rows, 0);
    test::check_near(
        "p l u", again, [&](std::int64_t i) { return static_cast<long double>(x[i]); }, 1e-14);
    check_known("expm", y, 1e-12);
    check_known("expm.x", gy, 1e-12);
    check_known("power-3", c, 1e-9);
    check_known("power-3.x", gc, 1e-8);
    check_known("power2", square);
    check_known("power7", s);
    check_known("power7.x", gs);
    for (std::int64_t i = 0; i < 32; ++i) CHECK(one[i] == (i % 16 % 5 == 0 ? 1.0 : 0.0));
}

TEST_CASE("exponentials of large matrices, of zeros and of infinity, in float") {
    constexpr auto z = xg::input<"z", float, batch, n, n>;
    constexpr auto e = xg::expm(a);
    constexpr auto f32 = xg::expm(z);
    xg::function f{xg::outputs(e, slope(e, a))};
    xg::function h{f32};
    auto x = known("a", {2, 4, 4});
    test::tensor<float> xf({2, 4, 4});
    for (std::int64_t i = 0; i < 32; ++i) xf[i] = static_cast<float>(x[i]), x[i] *= 8;
    auto const [y, g] = f(a = x);
    auto const near_to = [&](char const* name, auto const& r, double part) {   // relative to the largest element
        auto const want = known(name, {32});
        double largest = 0;
        for (std::int64_t i = 0; i < 32; ++i) largest = std::max(largest, std::abs(want[i]));
        for (std::int64_t i = 0; i < 32; ++i) CHECK(std::abs(r[i] - want[i]) < part * largest);
    };
    near_to("expm_large", y, 1e-11);
    near_to("expm_large.x", g, 1e-11);
    near_to("expm", h(z = xf), 4e-6);
    for (std::int64_t i = 0; i < 16; ++i) xf[i] = 0, xf[16 + i] = i == 7 ? std::numeric_limits<float>::infinity() : 0;
    auto const r = h(z = xf);
    for (std::int64_t i = 0; i < 16; ++i) {
        CHECK(r[i] == (i % 5 == 0 ? 1.0f : 0.0f));
        CHECK(std::isnan(r[16 + i]));
    }
    CHECK(h(z = test::tensor<float>({2, 0, 0})).size() == 0);
    test::tensor<float> one({1, 1, 1});
    one[0] = 2;
    CHECK(h(z = one)[0] == doctest::Approx(std::exp(2.0)).epsilon(1e-6));
}

TEST_CASE("pseudo-inverses, ranks and least squares") {
    constexpr auto p = xg::pinv(tall);
    constexpr auto pw = xg::pinv(wide);
    constexpr auto x = xg::lstsq(tall, b5);
    constexpr auto xw = xg::lstsq(wide, b3);
    xg::function f{xg::outputs(p, slope(p, tall), pw, slope(pw, wide), xg::matrix_rank(tall), xg::matrix_rank(wide), x, slope(x, tall),
        slope(x, b5), xw, slope(xw, wide), slope(xw, b3))};
    auto const T = known("tall", {2, 5, 3}), W = known("wide", {2, 3, 5}), B5 = known("b5", {2, 5, 2}), B3 = known("b3", {2, 3, 2});
    auto const [y, g, yw, gw, rank, rank_of_wide, least, ga, gb, least_wide, gaw, gbw] = f(tall = T, wide = W, b5 = B5, b3 = B3);
    check_known("pinv_tall", y);
    check_known("pinv_tall.x", g);
    check_known("pinv_wide", yw);
    check_known("pinv_wide.x", gw);
    check_known("lstsq_tall", least);
    check_known("lstsq_tall.x", ga);
    check_known("lstsq_tall.b", gb);
    check_known("lstsq_wide", least_wide);
    check_known("lstsq_wide.x", gaw);
    check_known("lstsq_wide.b", gbw);
    for (int k = 0; k < 2; ++k) CHECK((rank[k] == 3 && rank_of_wide[k] == 3));
    auto low = known("low", {2, 5, 3});
    xg::function of_low{xg::outputs(p, xg::matrix_rank(tall))};
    auto const [yl, rl] = of_low(tall = low);
    check_known("pinv_low", yl);
    check_known("rank_low", rl, 0);
    for (std::int64_t i = 0; i < 15; ++i) low[i] = 0, low[15 + i] = i == 4 ? std::numeric_limits<double>::quiet_NaN() : 1;
    auto const [yz, rz] = of_low(tall = low);
    CHECK((rz[0] == 0 && rz[1] == 0));
    for (std::int64_t i = 0; i < 15; ++i) CHECK((yz[i] == 0 && std::isnan(yz[15 + i])));
}

TEST_CASE("axes before the last two broadcast in systems") {
    constexpr auto one = xg::input<"one", double, 3, 3>;
    constexpr auto some = xg::input<"some", double, batch, 1, 3, 3>;
    constexpr auto many = xg::input<"many", double, batch, 4, 3, 2>;
    constexpr auto row = xg::input<"row", double, 1, 4, 3, 2>;
    constexpr auto m = 3_c * xg::eye<3, double>() + one;
    constexpr auto wide_one = xg::broadcast_to<batch, 4, 3, 3>(m);
    constexpr auto s = 3_c * xg::eye<3, double>() + some;
    constexpr auto wide_some = xg::broadcast_to<batch, 4, 3, 3>(s);
    constexpr auto wide_row = xg::broadcast_to<batch, 4, 3, 2>(row);
    constexpr auto sum = [](auto const& p, auto const& q, auto const& r, auto const& t, auto const& u) {
        return xg::sum(xg::sin(xg::solve(p, q))) + xg::sum(xg::sin(xg::triangular_solve<xg::triangle::upper, true>(p, q))) +
               xg::sum(xg::sin(xg::cholesky_solve(r, q))) + xg::sum(xg::sin(xg::solve(t, u)));
    };
    constexpr auto loss = sum(m, many, s, s, row);
    constexpr auto written = sum(wide_one, many, wide_some, wide_some, wide_row);
    constexpr auto g = xg::gradients(loss, one, some, many, row);
    constexpr auto w = xg::gradients(written, one, some, many, row);
    xg::function f{xg::outputs(xg::solve(m, many), xg::solve(wide_one, many), std::get<0>(g), std::get<0>(w), std::get<1>(g),
        std::get<1>(w), std::get<2>(g), std::get<2>(w), std::get<3>(g), std::get<3>(w))};
    auto const r = f(one = test::numbers<double>({3, 3}, -1, 1, 1), some = test::numbers<double>({2, 1, 3, 3}, -1, 1, 2),
        many = test::numbers<double>({2, 4, 3, 2}, -1, 1, 3), row = test::numbers<double>({1, 4, 3, 2}, -1, 1, 4));
    auto const same = [](auto const& x, auto const& y) {
        REQUIRE(x.size() == y.size());
        for (std::int64_t i = 0; i < x.size(); ++i) CHECK(x[i] == doctest::Approx(y[i]).epsilon(1e-12));
    };
    REQUIRE(std::get<0>(r).shape() == std::array<std::int64_t, 4>{2, 4, 3, 2});
    same(std::get<0>(r), std::get<1>(r));
    same(std::get<2>(r), std::get<3>(r));
    same(std::get<4>(r), std::get<5>(r));
    same(std::get<6>(r), std::get<7>(r));
    same(std::get<8>(r), std::get<9>(r));
}

TEST_CASE("a vector as the right side of one matrix") {
    constexpr auto one = 3_c * xg::eye<3, double>() + xg::input<"one", double, 3, 3>;
    constexpr auto long_one = xg::input<"long_one", double, 4, 3>;
    constexpr auto b = xg::input<"b", double, 3>;
    constexpr auto c = xg::input<"c", double, 4>;
    constexpr auto column = xg::expand_dims<-1>(b);
    xg::function f{xg::outputs(xg::solve(one, b), xg::solve(one, column), xg::triangular_solve<xg::triangle::upper, true>(one, b),
        xg::triangular_solve<xg::triangle::upper, true>(one, column), xg::cholesky_solve(one, b), xg::cholesky_solve(one, column),
        xg::lstsq(long_one, c), xg::lstsq(long_one, xg::expand_dims<-1>(c)))};
    auto const r =
        f(xg::input<"one", double, 3, 3> = test::numbers<double>({3, 3}, -1, 1, 1), long_one = test::numbers<double>({4, 3}, -1, 1, 2),
            b = test::numbers<double>({3}, -1, 1, 3), c = test::numbers<double>({4}, -1, 1, 4));
    auto const same = [](auto const& vector, auto const& columns) {
        REQUIRE(vector.shape() == std::array<std::int64_t, 1>{3});
        for (std::int64_t i = 0; i < 3; ++i) CHECK(vector[i] == columns[i]);
    };
    same(std::get<0>(r), std::get<1>(r));
    same(std::get<2>(r), std::get<3>(r));
    same(std::get<4>(r), std::get<5>(r));
    same(std::get<6>(r), std::get<7>(r));
}

TEST_CASE("second derivatives of matrix functions") {
    constexpr auto x = xg::input<"x", double, 3, 3>;
    constexpr auto y = xg::input<"y", double, 4, 2>;
    constexpr auto loss =
        xg::sum(xg::sin(std::get<0>(xg::lu(x)))) + 0.1_c * xg::sum(xg::sin(xg::expm(x))) + 0.1_c * xg::sum(xg::sin(xg::pinv(y)));
    constexpr auto slopes = xg::gradients(loss, x, y);
    constexpr auto second = xg::sum(xg::sin(std::get<0>(slopes))) + xg::sum(xg::sin(std::get<1>(slopes)));
    auto X = test::numbers<double>({3, 3}, -1, 1, 5);
    for (std::int64_t i = 0; i < 9; i += 4) X[i] += 2;
    auto const Y = test::numbers<double>({4, 2}, -1, 1, 6);
    auto const first = xg::check_gradients(loss, xg::wrt(x, y), x = X, y = Y);
    CHECK_MESSAGE(first.ok, first.message);
    auto const r = xg::check_gradients(second, xg::wrt(x, y), {.tolerance = 1e-6}, x = X, y = Y);
    CHECK_MESSAGE(r.ok, r.message);
}
