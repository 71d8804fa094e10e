// SPDX-License-Identifier: MIT
// Shapes filled with a value, lines, grids, coordinates, one_hot with two values: the numbers of NumPy and JAX, gradients.
#include "shapes_reference.hpp"
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/ops/fill.hpp>
#include <xgrad/ops/positions.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <limits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
template<class E>
constexpr xg::dtype type_of = xg::value_of<std::remove_cvref_t<E>>.type;
}

TEST_CASE("shapes filled with a value") {
    constexpr auto x = xg::input<"x", float, batch, 3>;
    constexpr auto s = xg::input<"s", double>;
    constexpr auto row = xg::input<"row", std::int64_t, 3>;
    static_assert(type_of<decltype(xg::zeros<2>())> == xg::dtype::float32 && type_of<decltype(xg::ones<bool, 2>())> == xg::dtype::boolean);
    static_assert(
        type_of<decltype(xg::full<4>(s))> == xg::dtype::float64 && type_of<decltype(xg::full<std::int32_t>(s))> == xg::dtype::int32);
    static_assert(type_of<decltype(xg::zeros_like(xg::cast<xg::bfloat16>(x)))> == xg::dtype::bfloat16);
    xg::function f{
        xg::outputs(xg::zeros<2, 3>(), xg::ones<double, batch>(), xg::full<2, 2>(-3_c), xg::full<batch, 3>(row), xg::full<0, 4>(1_c),
            xg::zeros_like(x), xg::ones_like(xg::exp(x)), xg::full_like(x, s), xg::broadcast_like(row, x), xg::full<std::int32_t>(2.75_c))};
    for (std::int64_t n : {0, 1, 19}) {
        auto const a = test::tensor<float>({n, 3}, std::numeric_limits<float>::quiet_NaN());   // values that are not read
        auto const [zeros, ones, threes, rows, none, zero, one, same, wide, two] =
            f(x = a, s = 1.5, row = test::list<std::int64_t>({7, 8, 9}));
        CHECK((zeros.shape() == std::array<std::int64_t, 2>{2, 3} && ones.shape() == std::array<std::int64_t, 1>{n}));
        CHECK((none.shape() == std::array<std::int64_t, 2>{0, 4} && zero.shape() == std::array<std::int64_t, 2>{n, 3}));
        for (std::int64_t i = 0; i < 6; ++i) CHECK(zeros[i] == 0);
        for (std::int64_t i = 0; i < n; ++i) CHECK(ones[i] == 1);
        for (std::int64_t i = 0; i < 4; ++i) CHECK(threes[i] == -3);
        REQUIRE((rows.size() == 3 * n && one.size() == 3 * n && same.size() == 3 * n && wide.size() == 3 * n));
        for (std::int64_t i = 0; i < 3 * n; ++i)
            CHECK((rows[i] == 7 + i % 3 && zero[i] == 0 && one[i] == 1 && same[i] == 1.5F && wide[i] == rows[i]));
        CHECK(two == 2);
    }
    xg::function alone{xg::ones_like(x)};   // the rows of x are its only operand
    CHECK((alone(x = test::tensor<float>({5, 3})).shape() == std::array<std::int64_t, 2>{5, 3}));
    auto const text = xg::describe(xg::function{xg::sum(xg::zeros_like(xg::exp(x)) + x)});
    CHECK_MESSAGE(text.find("exp") == std::string::npos, text);   // of exp(x) only the shape counts
}

TEST_CASE("lines and grids") {
    constexpr auto a = xg::input<"a", double>;
    constexpr auto b = xg::input<"b", double>;
    constexpr auto c = xg::input<"c", double>;
    constexpr auto n = xg::input<"n", double, batch>;
    constexpr auto u = xg::input<"u", std::int32_t, 3>;
    constexpr auto v = xg::input<"v", std::int32_t, 2>;
    constexpr auto w = xg::input<"w", std::int32_t>;
    xg::function f{
        xg::outputs(xg::linspace<7>(-1.5_c, b), xg::linspace<4>(a, c), xg::linspace<1>(a, b), xg::linspace<7, double>(-1.5_c, 2.25_c))};
    test::check_all(f(a = 3.0, b = 2.25, c = -0.1), {"line", "line_down", "line_of_one", "line"});
    static_assert(type_of<decltype(xg::linspace<3>(0_c, 1_c))> == xg::dtype::float32);
    xg::function g{xg::linspace<batch>(a, b) + 0_c * n};
    for (std::int64_t m : {0, 1, 2, 33}) {
        auto const line = g(a = 3.0, b = 5.5, n = test::tensor<double>({m}));
        REQUIRE(line.size() == m);
        for (std::int64_t i = 0; i < m; ++i)
            CHECK(line[i] == doctest::Approx(3 + 2.5 * static_cast<double>(i) / static_cast<double>(m > 1 ? m - 1 : 1)));
        if (m > 1) CHECK(line[m - 1] == 5.5);
    }
    auto const [x0, x1, x2] = xg::meshgrid(u, v, w);
    auto const [i0, i1, i2] = xg::meshgrid<xg::indexing::ij>(u, v, w);
    xg::function h{xg::outputs(x0, x1, x2, i0, i1, i2, std::get<0>(xg::meshgrid(u)))};
    auto const r = h(u = test::list<std::int32_t>({1, 2, 3}), v = test::list<std::int32_t>({4, 5}), w = 6);
    test::check_against(std::get<0>(r), "grid_xy_0");
    test::check_against(std::get<1>(r), "grid_xy_1");
    test::check_against(std::get<2>(r), "grid_xy_2");
    test::check_against(std::get<3>(r), "grid_ij_0");
    test::check_against(std::get<4>(r), "grid_ij_1");
    test::check_against(std::get<5>(r), "grid_ij_2");
    CHECK(std::get<6>(r)[2] == 3);
}

TEST_CASE_TEMPLATE("coordinates and positions", T, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, 24>;
    constexpr auto ids = xg::input<"ids", T, 2, 2>;
    constexpr auto flags = xg::input<"flags", bool, 2, 3, 4>;
    constexpr auto sized = xg::input<"sized", bool, batch, 4>;
    constexpr auto at = xg::unravel_index<5, 3, 2>(x);
    constexpr auto places = xg::nonzero<12>(flags);
    constexpr auto few = xg::nonzero<3>(xg::select(flags, 1_c, xg::zeros<2, 3, 4>()));
    constexpr auto rows = xg::unravel_index<7, batch>(x);   // the number of columns is that of a call
    constexpr auto each = xg::nonzero<batch>(sized);
    static_assert(type_of<decltype(std::get<0>(at))> == xg::dtype_of<T>);
    xg::function f{xg::outputs(
        xg::concat<0>(xg::expand_dims<0>(std::get<0>(at)), xg::expand_dims<0>(std::get<1>(at)), xg::expand_dims<0>(std::get<2>(at))),
        std::get<0>(places), std::get<0>(few), xg::cast<double>(xg::one_hot<3, 0>(ids, 2.5_c, -1_c)),
        xg::one_hot<3, 1>(ids, xg::constant<double, 5> / 2_c, -1_c), xg::cast<double>(xg::one_hot<3>(ids, 2.5_c, -1_c)),
        xg::ravel_multi_index<5, 3, 2>(std::get<0>(at), std::get<1>(at), std::get<2>(at)), std::get<1>(places), std::get<1>(few),
        xg::ravel_multi_index<7, batch>(std::get<0>(rows), std::get<1>(rows)), std::get<1>(rows), std::get<0>(each), std::get<1>(each))};
    auto const flat = test::reference_tensor<std::int32_t>("x");
    test::tensor<T> numbers({24});
    for (std::int64_t i = 0; i < 24; ++i) numbers[i] = static_cast<T>(flat[i] + 9);
    test::tensor<bool> truths({5, 4});
    truths[7] = truths[18] = true;
    auto const [unraveled, found, some, first, middle, last, raveled, count, more, again, column, of_rows, two] =
        f(x = numbers, ids = test::reference_tensor<T>("ids"), flags = test::reference_tensor<bool>("flags"), sized = truths);
    test::check_against(unraveled, "unraveled");
    test::check_against(found, "at");
    test::check_against(some, "at_few");
    test::check_against(first, "hot_0");
    test::check_against(middle, "hot_1");
    test::check_against(last, "hot_-1");
    CHECK((count == 8 && more == 8 && two == 2));
    for (std::int64_t i = 0; i < 24; ++i) CHECK((raveled[i] == numbers[i] && again[i] == numbers[i] && column[i] == numbers[i] % 5));
    CHECK((of_rows.shape() == std::array<std::int64_t, 2>{5, 2}));
    for (std::int64_t i = 0; i < 10; ++i) CHECK(of_rows[i] == std::array{1, 3, 4, 2, 0, 0, 0, 0, 0, 0}[static_cast<std::size_t>(i)]);
}

TEST_CASE_TEMPLATE("gradients of filled shapes", T, float, double) {
    constexpr auto a = xg::input<"a", T>;
    constexpr auto b = xg::input<"b", T>;
    constexpr auto x = xg::input<"x", T, 3>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 2>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto mesh = xg::meshgrid(x, xg::linspace<4>(a, b));
    constexpr auto loss = all(std::get<0>(mesh) * std::get<1>(mesh)) + all(xg::full<2, 3>(x) * xg::full<2, 3>(a)) +
                          all(xg::full_like(x, b) * x) + all(xg::broadcast_like(x, xg::zeros<2, 3>())) +
                          all(xg::one_hot<3, 0>(ids, a, b) * xg::expand_dims<-1>(x));
    constexpr auto second = xg::sum(xg::square(xg::gradient_of(all(xg::linspace<4>(a, b) * b) + all(xg::full_like(x, b) * x), b)));
    auto const va = T(0.3), vb = T(1.7);
    auto const vx = test::numbers<T>({3}, -2, 2);
    auto const vi = test::list<std::int32_t>({2, 7});
    auto const r = xg::check_gradients(loss, xg::wrt(a, b, x), a = va, b = vb, x = vx, ids = vi);
    CHECK_MESSAGE(r.ok, r.message);
    auto const again = xg::check_gradients(second, xg::wrt(a, b, x), a = va, b = vb, x = vx);
    CHECK_MESSAGE(again.ok, again.message);
}
