// SPDX-License-Identifier: MIT
// Rows of different lengths in loops of other forms: integers, truth values and lookups, rows along another axis, no carries, no rows.
#include <support/tensor.hpp>

#include <xgrad/exec/function.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <limits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time_steps"};
constexpr auto n = xg::input<"n", std::int32_t, batch>;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

constexpr auto table = xg::input<"table", double, 5, 2>;
constexpr auto place = xg::input<"place", double, batch, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, time_steps, batch>;
constexpr auto marks = xg::input<"marks", bool, time_steps, batch>;
struct walk : xg::region {
    static constexpr auto value(auto at, auto count, auto all_marked, auto id, auto mark) {
        auto const moved = at * 0.5_c + xg::gather(table, id) * xg::sin(at);
        auto const marked = xg::logical_and(all_marked, mark);
        return xg::carry(moved, count + id, marked).emit(xg::sum<1>(moved), id + 1_c, xg::logical_not(mark));
    }
};
constexpr auto none = xg::cast<bool>(xg::broadcast_to<batch>(xg::constant<std::int32_t, 1>));
constexpr auto zeros_of_rows = n * 0_c;
}
TEST_CASE("integers, truth values and lookups: each row as if it were alone, and indices after its end are not looked up") {
    auto const [end, sum, marked, moved, next, unmarked] = xg::scan<walk>(xg::carry(place, zeros_of_rows, none).lengths(n), ids, marks);
    auto const loss = xg::sum(xg::square(end)) + xg::sum(moved * moved * moved);
    xg::function f{xg::outputs(end, sum, marked, moved, next, unmarked, xg::gradient_of(loss, place), xg::gradient_of(loss, table))};
    auto const T = test::numbers<double>({5, 2}), P = test::numbers<double>({3, 2}, -1, 1, 2);
    constexpr int ends[]{2, 4, 0};
    test::tensor<std::int32_t> i({4, 3}, -7);
    test::tensor<bool> m({4, 3}, false);
    for (int row = 0; row < 3; ++row)
        for (int t = 0; t < ends[row]; ++t) {
            i[t * 3 + row] = (3 * t + row) % 5;
            m[t * 3 + row] = row == 0 || t != 2;
        }
    auto const N = test::list<std::int32_t>({2, 4, 0});
    auto const [e, s, all, y, ids_after, not_marked, at_place, at_table] = f(table = T, place = P, ids = i, marks = m, n = N);
    CHECK(at_place[4] == 2 * P[4]);
    CHECK(at_place[5] == 2 * P[5]);
    for (int row = 0; row < 3; ++row) {
        double p = P[row * 2], q = P[row * 2 + 1];
        int count = 0;
        bool holds = true;
        for (int t = 0; t < 4; ++t) {
            bool const runs = t < ends[row];
            if (runs) {
                std::int32_t const id = i[t * 3 + row];
                p = p * 0.5 + T[id * 2] * std::sin(p);
                q = q * 0.5 + T[id * 2 + 1] * std::sin(q);
                count += id;
                holds = holds && m[t * 3 + row];
            }
            CHECK(y[t * 3 + row] == doctest::Approx(runs ? p + q : 0).epsilon(1e-13));
            CHECK(ids_after[t * 3 + row] == (runs ? i[t * 3 + row] + 1 : 0));
            CHECK(not_marked[t * 3 + row] == (runs && !m[t * 3 + row]));
        }
        CHECK(e[row * 2] == doctest::Approx(p).epsilon(1e-13));
        CHECK(e[row * 2 + 1] == doctest::Approx(q).epsilon(1e-13));
        CHECK(s[row] == count);
        CHECK(all[row] == holds);
    }
    auto const r = xg::check_gradients(loss, xg::wrt(place, table), table = T, place = P, ids = i, marks = m, n = N);
    CHECK_MESSAGE(r.ok, r.message);
}

namespace {
constexpr auto start = xg::input<"start", double, 2, batch>;
constexpr auto columns = xg::input<"columns", double, time_steps, 2, batch>;
constexpr auto scale = xg::input<"scale", double>;
struct decay : xg::region {
    static constexpr auto value(auto h, auto x) {
        auto const next = h * scale + xg::log(x * scale) + x * scale / (x + x * scale);
        return xg::carry(next).emit(next / x);
    }
};
struct ratio : xg::region {
    static constexpr auto value(auto x) { return xg::carry().emit(scale / x); }
};
}
TEST_CASE("rows along the second axis, and along the first one") {
    auto const [last, all] = xg::scan<decay>(xg::carry(start).lengths<1>(n), columns);
    auto const [other, same] = xg::scan<decay>(xg::carry(xg::transpose(start)).lengths(n), xg::transpose<0, 2, 1>(columns));
    auto const a = xg::sum(xg::square(last)) + xg::sum(xg::sin(all));
    auto const b = xg::sum(xg::square(other)) + xg::sum(xg::sin(same));
    xg::function f{xg::outputs(xg::gradient_of(a, start), xg::gradient_of(a, columns), xg::gradient_of(a, scale), xg::gradient_of(b, start),
        xg::gradient_of(b, columns), xg::gradient_of(b, scale))};
    auto x = test::numbers<double>({3, 2, 5}, 0.5, 2);
    auto const ends = test::list<std::int32_t>({1, 3, 0, 2, 3});
    for (std::int64_t i = 0; i < x.size(); ++i)
        if (i / 10 >= ends[i % 5]) x[i] = nan_value;
    auto const [h1, x1, s1, h2, x2, s2] = f(start = test::numbers<double>({2, 5}), columns = x, n = ends, scale = 0.75);
    for (std::int64_t i = 0; i < 10; ++i) CHECK(h1[i] == h2[i]);
    for (std::int64_t i = 0; i < 30; ++i) {
        CHECK(x1[i] == x2[i]);
        CHECK((x1[i] == 0) == (i / 10 >= ends[i % 5]));
    }
    CHECK(s1 == doctest::Approx(s2).epsilon(1e-14));
    CHECK(s1 == s1);
}
TEST_CASE("without carries; without rows; without time; with full lengths") {
    constexpr auto x = xg::input<"x", double, time_steps, batch>;
    constexpr auto h = xg::input<"h", double, batch>;
    auto const [ratios] = xg::scan<ratio>(xg::carry().lengths(n), x);
    auto const [last, all] = xg::scan<decay>(xg::carry(h).lengths(n), x);
    auto const [plain_last, plain_all] = xg::scan<decay>(xg::carry(h), x);
    auto const loss = xg::sum(last) + xg::sum(all);
    auto const plain = xg::sum(plain_last) + xg::sum(plain_all);
    xg::function f{xg::outputs(ratios, last, plain_last, xg::gradient_of(xg::sum(ratios), scale), xg::gradient_of(loss, scale),
        xg::gradient_of(plain, scale), xg::gradient_of(loss, x), xg::gradient_of(plain, x))};
    auto const X = test::numbers<double>({2, 3}, 0.5, 2);
    auto const H = test::numbers<double>({3});
    {
        auto const [r, l, p, of_ratios, s1, s2, x1, x2] = f(n = test::list<std::int32_t>({0, 2, 1}), h = H, x = X, scale = 0.5);
        double total = 0;
        for (std::int64_t i = 0; i < 6; ++i) {
            bool const runs = i % 3 == 1 || i == 2;
            CHECK(r[i] == (runs ? 0.5 / X[i] : 0));
            total += runs ? 1 / X[i] : 0;
        }
        CHECK(of_ratios == doctest::Approx(total).epsilon(1e-14));
        CHECK(l[0] == H[0]);
        CHECK(l[1] == p[1]);
    }
    {
        auto const [r, l, p, of_ratios, s1, s2, x1, x2] = f(n = test::list<std::int32_t>({2, 2, 2}), h = H, x = X, scale = 0.5);
        for (std::int64_t i = 0; i < 3; ++i) CHECK(l[i] == p[i]);
        for (std::int64_t i = 0; i < 6; ++i) CHECK(x1[i] == x2[i]);
        CHECK(s1 == s2);
    }
    {
        auto const [r, l, p, of_ratios, s1, s2, x1, x2] =
            f(n = test::tensor<std::int32_t>({0}), h = test::tensor<double>({0}), x = test::tensor<double>({2, 0}), scale = 0.5);
        CHECK(r.size() == 0);
        CHECK(s1 == 0);
    }
    {
        auto const [r, l, p, of_ratios, s1, s2, x1, x2] =
            f(n = test::tensor<std::int32_t>({3}), h = H, x = test::tensor<double>({0, 3}), scale = 0.5);
        for (std::int64_t i = 0; i < 3; ++i) CHECK(l[i] == H[i]);
        CHECK(s1 == 0);
    }
}
