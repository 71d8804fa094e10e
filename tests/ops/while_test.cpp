// SPDX-License-Identifier: MIT
// Loops whose number of iterations is a value: while_loop, and scan with .turns(n), compared with hand-written loops.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
inline constexpr xg::dim time_steps{"time"};
constexpr auto x = xg::input<"x", double, 3>;
constexpr auto a = xg::input<"a", double, 3>;
constexpr auto limit = xg::input<"limit", double>;
constexpr auto rows = xg::input<"rows", double, time_steps, 3>;
constexpr auto n = xg::input<"n", std::int32_t>;

// Newton's method for the roots of squares: h becomes sqrt(a).
struct not_close : xg::region {
    static constexpr auto value(auto h, auto count) {
        return xg::logical_and(xg::less(count, 12_c), xg::greater(xg::sum(xg::square(h * h - a)), limit));
    }
};
struct newton : xg::region {
    static constexpr auto value(auto h, auto count) { return xg::carry((h + a / h) * 0.5_c, count + 1_c); }
};
constexpr auto count = xg::constant<std::int32_t, 0>;
}

TEST_CASE("a loop with a condition, its gradients of two orders, and zero iterations") {
    auto const [root, turns] = xg::while_loop<not_close, newton, 16>(xg::carry(x, count));
    auto const g = xg::gradients(xg::sum(root * root * root), x, a);
    auto const gg = xg::gradients(xg::sum(xg::square(std::get<0>(g))), x, a);
    auto const list = list_of(std::tuple_cat(std::tuple{root, turns}, g, gg));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    // The same on plain numbers, with forward derivatives by x and a.
    auto const start = test::list<double>({1.5, 2.5, 3.25}), wanted = test::list<double>({2.0, 5.0, 11.0});
    for (double const close : {1e-1, 1e-3, 1e9, 1e-13}) {
        auto const [r, t, gx, ga, hx, ha] = f(x = start, a = wanted, limit = close);
        auto const run = [&](std::array<double, 3> h, std::array<double, 3> of, int turns_of) {
            for (int k = 0; k < turns_of; ++k)
                for (std::size_t i = 0; i < 3; ++i) h[i] = (h[i] + of[i] / h[i]) * 0.5;
            return h;
        };
        std::array<double, 3> h{1.5, 2.5, 3.25};
        std::array<double, 3> const of{2.0, 5.0, 11.0};
        int taken = 0;
        auto const error = [&] {
            double s = 0;
            for (std::size_t i = 0; i < 3; ++i) s += (h[i] * h[i] - of[i]) * (h[i] * h[i] - of[i]);
            return s;
        };
        while (taken < 12 && error() > close) {
            h = run(h, of, 1);
            ++taken;
        }
        CHECK(t == taken);
        for (std::size_t i = 0; i < 3; ++i) {
            auto const k = static_cast<std::int64_t>(i);
            CHECK(r[k] == doctest::Approx(h[i]).epsilon(1e-14));
            double const step = 1e-5;
            auto const cube = [&](double by_x, double by_a) {
                auto from = std::array<double, 3>{1.5, 2.5, 3.25};
                auto to = of;
                from[i] += by_x;
                to[i] += by_a;
                double const v = run(from, to, taken)[i];
                return v * v * v;
            };
            CHECK(gx[k] == doctest::Approx((cube(step, 0) - cube(-step, 0)) / (2 * step)).epsilon(1e-6));
            CHECK(ga[k] == doctest::Approx((cube(0, step) - cube(0, -step)) / (2 * step)).epsilon(1e-6));
            double const wide = 1e-4;
            auto const slope = [&](double by_x, double by_a) { return (cube(by_x + wide, by_a) - cube(by_x - wide, by_a)) / (2 * wide); };
            double const here = slope(0, 0);
            CHECK(hx[k] == doctest::Approx(2 * here * (slope(wide, 0) - slope(-wide, 0)) / (2 * wide)).epsilon(1e-4).scale(1e-2));
            CHECK(ha[k] == doctest::Approx(2 * here * (slope(0, wide) - slope(0, -wide)) / (2 * wide)).epsilon(1e-4).scale(1e-2));
        }
    }
}
TEST_CASE("more iterations than the capacity are an error if a gradient needs them, and fine without") {
    auto const [root, turns] = xg::while_loop<not_close, newton, 3>(xg::carry(x, count));
    auto const list = list_of(std::tuple{root, turns});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const start = test::list<double>({1.5, 2.5, 3.25}), wanted = test::list<double>({2.0, 5.0, 11.0});
    auto const [r, t] = f(x = start, a = wanted, limit = -1.0);
    CHECK(t == 12);
    CHECK(r[0] == doctest::Approx(std::sqrt(2.0)).epsilon(1e-14));
    auto const of = list_of(xg::gradients(xg::sum(root), x));
    function_of<std::remove_const_t<decltype(of)>, true> g{of};
    auto const gx = g(x = start, a = wanted, limit = 1e9);
    CHECK(gx[0] == 1);
    CHECK_THROWS_WITH_AS(g(x = start, a = wanted, limit = -1.0),
        "xgrad: a loop over the body \"newton\" has 4 iterations or more, outside of [0, 3]; give scan a longer sequence, or while_loop a "
        "larger capacity; nothing has been updated",
        xg::value_error);
    auto const again = g(x = start, a = wanted, limit = 1e9);
    CHECK(again[0] == 1);
}
namespace {
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) {
        auto const next = xg::tanh(h * a + row);
        return xg::carry(next).emit(xg::sum(next));
    }
};
}
TEST_CASE("scan with a number of iterations: rows after them are not read, not even NaN") {
    auto const [last, sums] = xg::scan<cell>(xg::carry(x).turns(n), rows);
    auto const loss = xg::sum(xg::square(last)) + xg::sum(sums * sums);
    auto const list = list_of(std::tuple_cat(std::tuple{last, sums}, xg::gradients(loss, x, a, rows)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    // The same loop over as many rows.
    auto const [all, all_sums] = xg::scan<cell>(xg::carry(x), rows);
    auto const plain = list_of(
        std::tuple_cat(std::tuple{all, all_sums}, xg::gradients(xg::sum(xg::square(all)) + xg::sum(all_sums * all_sums), x, a, rows)));
    function_of<std::remove_const_t<decltype(plain)>, true> p{plain};
    auto const start = test::numbers<double>({3}, -1, 1, 3), weight = test::numbers<double>({3}, -1, 1, 4);
    for (std::int64_t const steps : {5, 1, 0, 4, 5}) {
        auto data = test::numbers<double>({5, 3}, -1, 1, 5);
        test::tensor<double> shorter({steps, 3});
        for (std::int64_t i = 0; i < 15; ++i)
            if (i < 3 * steps) shorter[i] = data[i];
            else data[i] = std::numeric_limits<double>::quiet_NaN();
        auto const [v, s, gx, ga, gr] = f(x = start, a = weight, rows = data, n = static_cast<std::int32_t>(steps));
        auto const [u, w, hx, ha, hr] = p(x = start, a = weight, rows = shorter);
        for (std::int64_t i = 0; i < 3; ++i) {
            CHECK(v[i] == u[i]);
            CHECK(gx[i] == hx[i]);
            CHECK(ga[i] == ha[i]);
        }
        for (std::int64_t i = 0; i < 5; ++i) CHECK(s[i] == (i < steps ? w[i] : 0));
        for (std::int64_t i = 0; i < 15; ++i) CHECK(gr[i] == (i < 3 * steps ? hr[i] : 0));
    }
    auto const data = test::numbers<double>({5, 3}, -1, 1, 5);
    CHECK_THROWS_AS(f(x = start, a = weight, rows = data, n = 6), xg::value_error);
    CHECK_THROWS_AS(f(x = start, a = weight, rows = data, n = -1), xg::value_error);
}

namespace {
constexpr auto many = xg::input<"many", float, 200, 3>;
constexpr auto few = xg::input<"few", float, time_steps, 3>;
constexpr auto start = xg::input<"start", float, 3>;
constexpr auto factor = xg::input<"factor", float, 3>;
struct slow : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(h * factor + row); }
};
}
TEST_CASE("a gradient that is summed over fewer iterations than there is memory for") {
    auto const counted = std::get<0>(xg::scan<slow>(xg::carry(start).turns(n), many));
    auto const whole = std::get<0>(xg::scan<slow>(xg::carry(start), few));
    auto const list = list_of(xg::gradients(xg::sum(counted), factor));
    auto const plain = list_of(xg::gradients(xg::sum(whole), factor));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    function_of<std::remove_const_t<decltype(plain)>, true> p{plain};
    auto const h = test::numbers<float>({3}), by = test::numbers<float>({3}, 0.9, 1, 2), all = test::numbers<float>({200, 3}, -1, 1, 3);
    for (std::int64_t const steps : {200, 10, 0, 1, 63, 64, 65, 128, 130, 3}) {
        test::tensor<float> shorter({steps, 3});
        std::copy(all.begin(), all.begin() + 3 * steps, shorter.data());
        auto const g = f(start = h, factor = by, many = all, n = static_cast<std::int32_t>(steps));
        auto const e = p(start = h, factor = by, few = shorter);
        for (std::int64_t i = 0; i < 3; ++i) CHECK(g[i] == e[i]);
    }
}
