// SPDX-License-Identifier: MIT
// stack, unstack, split, roll, repeat, tile and pad, compared with loops over positions; gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

/// Checks y [m, k] against a [n, k], of which row `from(i)` is row i; a negative one is a row of `other`.
template<class R, class T>
void check_rows(R const& y, test::tensor<T> const& a, std::int64_t m, std::int64_t k, auto from, T other = T(0)) {
    REQUIRE(y.size() == m * k);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < k; ++j) CHECK(y[i * k + j] == (from(i) < 0 ? other : a[from(i) * k + j]));
}
}

TEST_CASE_TEMPLATE("parts of an axis, apart and together", T, float, std::int32_t, bool) {
    constexpr auto x = xg::input<"x", T, 4, 3>;
    constexpr auto parts = xg::unstack<0>(x);
    constexpr auto columns = xg::unstack<-1>(x);
    static_assert(std::tuple_size_v<decltype(parts)> == 4 && std::tuple_size_v<decltype(columns)> == 3);
    auto const [first, second] = xg::split<2>(x);
    xg::function f{xg::outputs(std::get<2>(parts), std::get<1>(columns), first, second, xg::stack(std::get<3>(parts), std::get<0>(parts)),
        xg::stack<1>(std::get<2>(columns), std::get<0>(columns)),
        xg::stack<-1>(std::get<0>(columns), std::get<1>(columns), std::get<2>(columns)))};
    test::tensor<T> a({4, 3});
    for (std::int64_t i = 0; i < 12; ++i) a[i] = static_cast<T>(std::is_same_v<T, bool> ? i * 5 % 3 == 0 : i * 7 % 5);
    auto const [row, column, low, high, rows, pairs, again] = f(x = a);
    for (int j = 0; j < 3; ++j) CHECK(row[j] == a[6 + j]);
    for (int i = 0; i < 4; ++i) CHECK(column[i] == a[3 * i + 1]);
    check_rows(low, a, 2, 3, [](auto i) { return i; });
    check_rows(high, a, 2, 3, [](auto i) { return i + 2; });
    check_rows(rows, a, 2, 3, [](auto i) { return i == 0 ? 3 : 0; });
    for (int i = 0; i < 4; ++i) {
        CHECK(pairs[2 * i] == a[3 * i + 2]);
        CHECK(pairs[2 * i + 1] == a[3 * i]);
    }
    check_rows(again, a, 4, 3, [](auto i) { return i; });
}

TEST_CASE_TEMPLATE("roll, repeat and tile", T, double, std::int64_t) {
    constexpr auto x = xg::input<"x", T, 5, 3>;
    constexpr auto n = xg::input<"n", T, batch, 3>;
    xg::function f{xg::outputs(xg::roll<2>(x), xg::roll<-1>(x), xg::roll<12>(x), xg::roll<-5>(x), xg::roll<1, 1>(x))};
    auto const a = test::numbers<T>({5, 3}, -100, 100);
    auto const [two, back, twelve, five, columns] = f(x = a);
    check_rows(two, a, 5, 3, [](auto i) { return (i + 3) % 5; });
    check_rows(back, a, 5, 3, [](auto i) { return (i + 1) % 5; });
    check_rows(twelve, a, 5, 3, [](auto i) { return (i + 3) % 5; });
    check_rows(five, a, 5, 3, [](auto i) { return i; });
    for (int i = 0; i < 15; ++i) CHECK(columns[i] == a[i / 3 * 3 + (i + 2) % 3]);
    xg::function g{xg::outputs(xg::repeat<3>(n), xg::tile<2>(n), xg::repeat<2, 1>(n), xg::tile<2, -1>(n), xg::repeat<0>(n))};
    for (std::int64_t m : {0, 1, 4}) {
        auto const b = test::numbers<T>({m, 3}, -100, 100, 2);
        auto const [each, all, wide, twice, none] = g(n = b);
        CHECK((each.shape() == std::array<std::int64_t, 2>{3 * m, 3}));
        check_rows(each, b, 3 * m, 3, [](auto i) { return i / 3; });
        check_rows(all, b, 2 * m, 3, [m](auto i) { return i % m; });
        for (std::int64_t i = 0; i < 6 * m; ++i) {
            CHECK(wide[i] == b[i / 6 * 3 + i % 6 / 2]);
            CHECK(twice[i] == b[i / 6 * 3 + i % 3]);
        }
        CHECK(none.size() == 0);
    }
}

TEST_CASE("pad: a number, mirrored, the outermost element") {
    using xg::padding;
    constexpr auto x = xg::input<"x", float, 4, 3>;
    constexpr auto n = xg::input<"n", float, batch, 3>;
    constexpr auto s = xg::input<"s", float>;
    xg::function f{xg::outputs(xg::pad<1, 2>(x), xg::pad<0, 1, 1>(x, 7_c), xg::pad<2, 0>(x, s), xg::pad<3, 2, 0, padding::reflect>(x),
        xg::pad<4, 1, 0, padding::symmetric>(x), xg::pad<2, 9, 0, padding::edge>(x), xg::pad<0, 0>(x))};
    auto const a = test::numbers<float>({4, 3});
    auto const [zeros, sevens, scalars, reflected, symmetric, edge, same] = f(x = a, s = -2.0F);
    check_rows(zeros, a, 7, 3, [](auto i) { return i >= 1 && i < 5 ? i - 1 : -1; });
    for (int i = 0; i < 16; ++i) CHECK(sevens[i] == (i % 4 == 3 ? 7 : a[i / 4 * 3 + i % 4]));
    check_rows(
        scalars, a, 6, 3, [](auto i) { return i - 2; }, -2.0F);
    check_rows(reflected, a, 9, 3, [](auto i) { return std::initializer_list<int>{3, 2, 1, 0, 1, 2, 3, 2, 1}.begin()[i]; });
    check_rows(symmetric, a, 9, 3, [](auto i) { return std::initializer_list<int>{3, 2, 1, 0, 0, 1, 2, 3, 3}.begin()[i]; });
    check_rows(edge, a, 15, 3, [](auto i) { return i < 2 ? 0 : i > 5 ? 3 : i - 2; });
    check_rows(same, a, 4, 3, [](auto i) { return i; });
    xg::function g{xg::pad<1, 1>(n, 1_c)};
    auto const one = g(n = test::tensor<float>({0, 3}));
    CHECK((one.shape() == std::array<std::int64_t, 2>{2, 3}));
    for (float const e : one) CHECK(e == 1);
}

TEST_CASE("gradients of arrangements") {
    using xg::padding;
    constexpr auto x = xg::input<"x", double, 4, 3>;
    constexpr auto s = xg::input<"s", double>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto parts = xg::unstack<1>(x);
    constexpr auto loss = all(xg::roll<1>(x) * x) + all(xg::repeat<2>(x) * xg::tile<2>(x)) + all(xg::pad<2, 1>(x, s)) +
                          all(xg::pad<3, 2, 0, padding::reflect>(x)) + all(xg::pad<1, 2, 1, padding::symmetric>(x)) +
                          all(xg::pad<1, 3, 0, padding::edge>(x)) + all(xg::stack(std::get<0>(parts), std::get<2>(parts))) +
                          all(std::get<0>(xg::split<2>(x)) * std::get<1>(xg::split<2>(x)));
    auto const r = xg::check_gradients(loss, xg::wrt(x, s), x = test::numbers<double>({4, 3}, -2, 2), s = 0.7);
    CHECK_MESSAGE(r.ok, r.message);
}
