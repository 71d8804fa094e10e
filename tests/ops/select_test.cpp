// SPDX-License-Identifier: MIT
// Comparisons, logic, select, casts.
#include <support/copy.hpp>
#include <support/tensor.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE_TEMPLATE("comparisons and logic", T, float, double, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    constexpr auto p = xg::greater(x, y);
    constexpr auto q = xg::equal(x, y);
    xg::function f{xg::outputs(p, xg::greater_equal(x, y), xg::less(x, y), xg::less_equal(x, y), q, xg::not_equal(x, y),
        xg::logical_and(xg::greater(x, 0_c), xg::greater(y, 0_c)), xg::logical_or(p, q), xg::logical_not(p))};
    for (std::int64_t n : {0, 1, 37}) {
        test::tensor<T> a({n}), b({n});
        for (std::int64_t i = 0; i < n; ++i) {
            a[i] = static_cast<T>(i % 5 - 2);
            b[i] = static_cast<T>(i % 3 - 1);
            if constexpr (std::is_floating_point_v<T>)
                if (i % 7 == 6) a[i] = std::numeric_limits<T>::quiet_NaN();
        }
        auto const [g, ge, l, le, e, ne, both, either, neither] = f(x = a, y = b);
        bool all = true;
        for (std::int64_t i = 0; i < n; ++i)
            all = all && g[i] == (a[i] > b[i]) && ge[i] == (a[i] >= b[i]) && l[i] == (a[i] < b[i]) && le[i] == (a[i] <= b[i]) &&
                  e[i] == (a[i] == b[i]) && ne[i] == (a[i] != b[i]) && both[i] == (a[i] > 0 && b[i] > 0) &&
                  either[i] == (a[i] > b[i] || a[i] == b[i]) && neither[i] == !(a[i] > b[i]);
        CHECK(all);
    }
}

TEST_CASE_TEMPLATE("select: what is not chosen does not leak", T, float, double) {
    T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    constexpr auto c = xg::input<"c", bool, batch>;
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    constexpr auto s = xg::select(c, x, y);
    static_assert(std::is_same_v<decltype(xg::where(c, x, y)), std::remove_const_t<decltype(s)>>);
    xg::function f{xg::outputs(s, xg::gradient_of(xg::square(s), x), xg::gradient_of(xg::square(s), y))};
    test::tensor<bool> t({4});
    t[0] = t[2] = true;
    auto const [v, gx, gy] = f(c = t, x = test::list<T>({1, nan, 3, inf}), y = test::list<T>({nan, 2, inf, 4}));
    CHECK(test::copy<double>(v) == std::vector<double>{1, 2, 3, 4});
    CHECK(test::copy<double>(gx) == std::vector<double>{2, 0, 6, 0});
    CHECK(test::copy<double>(gy) == std::vector<double>{0, 4, 0, 8});
    // broadcast conditions
    constexpr auto m = xg::input<"m", T, batch, 3>;
    constexpr auto k = xg::input<"k", bool, batch, 1>;
    xg::function g{xg::select(k, m, -1_c)};
    test::tensor<bool> rows({2, 1});
    rows[1] = true;
    auto const numbers = test::numbers<T>({2, 3});
    auto const r = g(m = numbers, k = rows);
    CHECK((r(0, 0) == -1 && r(0, 2) == -1 && r(1, 0) == numbers[3] && r(1, 2) == numbers[5]));
}

TEST_CASE("casts convert as C++ does") {
    constexpr auto f = xg::input<"f", float, batch>;
    constexpr auto d = xg::input<"d", double, batch>;
    constexpr auto i = xg::input<"i", std::int32_t, batch>;
    constexpr auto l = xg::input<"l", std::int64_t, batch>;
    xg::function fn{xg::outputs(xg::cast<double>(f), xg::cast<float>(d), xg::cast<std::int32_t>(f), xg::cast<std::int64_t>(d),
        xg::cast<float>(i), xg::cast<double>(l), xg::cast<bool>(f), xg::cast<std::int32_t>(l), xg::cast<double>(xg::greater(f, 0_c)),
        xg::cast<double>(xg::cast<std::int32_t>(f * 2_c)))};
    auto const fv = test::list<float>({2.75F, -2.75F, 0, 0.1F, 1, 2, 3, 4, 5});
    auto const dv = test::list<double>({2.75, -2.75, 1e10, 0.1, 1, 2, 3, 4, 5});
    auto const iv = test::list<std::int32_t>({1, -7, 16777217, 4, 5, 6, 7, 8, 9});
    auto const lv = test::list<std::int64_t>({1, -7, 123456789012, 4, 5, 6, 7, 8, 9});
    auto const [a, b, c, e, g, h, t, n, p, q] = fn(f = fv, d = dv, i = iv, l = lv);
    for (std::int64_t k = 0; k < 9; ++k) {
        CHECK(a[k] == static_cast<double>(fv[k]));
        CHECK(b[k] == static_cast<float>(dv[k]));
        CHECK(c[k] == static_cast<std::int32_t>(fv[k]));
        CHECK(e[k] == static_cast<std::int64_t>(dv[k]));
        CHECK(g[k] == static_cast<float>(iv[k]));
        CHECK(h[k] == static_cast<double>(lv[k]));
        CHECK(t[k] == (fv[k] != 0));
        CHECK(n[k] == static_cast<std::int32_t>(lv[k]));
        CHECK(p[k] == (fv[k] > 0 ? 1.0 : 0.0));
        CHECK(q[k] == static_cast<double>(static_cast<std::int32_t>(fv[k] * 2)));
    }
    // a gradient passes from float to double and back, and stops at integers
    constexpr auto through = xg::cast<float>(xg::square(xg::cast<double>(f)));
    static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cast<float>(xg::cast<std::int32_t>(f)), f)), xg::none>);
    xg::function slope{xg::gradient_of(through, f)};
    auto const r = slope(f = fv);
    for (std::int64_t k = 0; k < 9; ++k) CHECK(r[k] == 2 * fv[k]);
}

TEST_CASE_TEMPLATE("quotients of integers: towards zero, and no trap", T, std::int32_t, std::int64_t) {
    constexpr auto a = xg::input<"a", T, xg::dim{"n"}>;
    constexpr auto b = xg::input<"b", T, xg::dim{"n"}>;
    T const least = std::numeric_limits<T>::min();
    xg::function f{xg::outputs(a / b, xg::select(xg::not_equal(b, 0_c), a / b, 7_c))};
    auto const [q, guarded] = f(a = test::list<T>({7, -7, 7, 5, least, least}), b = test::list<T>({2, 2, -2, 0, -1, 1}));
    T const expected[]{3, -3, -3, 0, least, least};
    for (int i = 0; i < 6; ++i) {
        CHECK(q[i] == expected[i]);
        CHECK(guarded[i] == (i == 3 ? 7 : expected[i]));
    }
}

TEST_CASE_TEMPLATE("select, comparisons, logic and casts at every length of body and tail", T, float, double) {
    constexpr auto x = xg::input<"x", T, batch>;
    constexpr auto y = xg::input<"y", T, batch>;
    xg::function f{xg::outputs(xg::select(x > y, x, y), xg::less_equal(x, y), xg::logical_and(x > 0_c, xg::logical_not(y > 0_c)),
        xg::cast<std::int32_t>(4_c * x), xg::cast<T>(xg::logical_or(x > y, x < 0_c)), xg::cast<double>(xg::cast<float>(x)))};
    std::int64_t const longest = 3 * test::width<T> + 1;
    auto const a = test::numbers<T>({longest}, -1, 1, 3), b = test::numbers<T>({longest}, -1, 1, 4);
    int wrong = 0;
    for (std::int64_t n = 0; n <= longest; ++n) {
        auto const [larger, below, mixed, whole, either, narrow] = f(x = xg::array(a.data(), n), y = xg::array(b.data(), n));
        REQUIRE(larger.size() == n);
        for (std::int64_t i = 0; i < n; ++i) {
            wrong += larger[i] != std::max(a[i], b[i]);
            wrong += below[i] != (a[i] <= b[i]);
            wrong += mixed[i] != (a[i] > 0 && !(b[i] > 0));
            wrong += whole[i] != static_cast<std::int32_t>(4 * a[i]);
            wrong += either[i] != T(a[i] > b[i] || a[i] < 0);
            wrong += narrow[i] != static_cast<double>(static_cast<float>(a[i]));
        }
    }
    CHECK(wrong == 0);
}
