// SPDX-License-Identifier: MIT
// Loops with carries and stacked values that are too large to be copied: where an iteration writes them, and the next one reads them.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
inline constexpr xg::dim size{"size"};
constexpr int most = 6;
constexpr auto a = xg::input<"a", double, size>;
constexpr auto b = xg::input<"b", double, size>;
constexpr auto c = xg::input<"c", double, size>;
constexpr auto rows = xg::input<"rows", double, most, size>;
constexpr auto number = xg::input<"number", std::int32_t>;

// Carries that change places, a carry that stays, two carries of one value, a value that is a carry and stacked twice.
struct shifts : xg::region {
    static constexpr auto value(auto p, auto q, auto r, auto s, auto row) {
        auto const next = p * 0.5_c + q * row;
        return xg::carry(q, next, r, next).emit(next, next, p, s * 2_c);
    }
};
// The loop, hand-written.
struct by_hand {
    std::int64_t n;
    std::vector<double> p, q, r, s;
    std::vector<std::vector<double>> next, before, twice;
    by_hand(std::vector<double> const& one, std::vector<double> const& two, std::vector<double> const& three, double const* row,
        std::int64_t count, std::int64_t width)
        : n(count), p(one), q(two), r(three), s(one) {
        for (std::int64_t t = 0; t < n; ++t) {
            std::vector<double> y(p.size());
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = p[i] * 0.5 + q[i] * row[t * width + static_cast<std::int64_t>(i)];
            before.push_back(p);
            twice.push_back(s);
            for (double& v : twice.back()) v *= 2;
            next.push_back(y);
            p = q;
            q = s = y;
        }
    }
};
std::vector<double> as_vector(test::tensor<double> const& t) { return {t.begin(), t.end()}; }
std::vector<double> as_vector_of(auto const& t) {
    std::vector<double> r;
    for (std::int64_t i = 0; i < t.size(); ++i) r.push_back(t[i]);
    return r;
}
}

TEST_CASE("carries of any size change places, for each number of iterations") {
    auto const [p, q, r, s, next, again, before, twice] = xg::scan<shifts>(xg::carry(a, b, c, a).turns(number), rows);
    auto const list = list_of(std::tuple{p, q, r, s, next, again, before, twice});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    for (std::int64_t width : {8, 9, 40, 3})
        for (std::int32_t n : {most, 0, 1, 2, 5, 3}) {
            auto const A = test::numbers<double>({width}), B = test::numbers<double>({width}, -1, 1, 2);
            auto const C = test::numbers<double>({width}, -1, 1, 3), R = test::numbers<double>({most, width}, -1, 1, 4);
            auto const all = f(a = A, b = B, c = C, rows = R, number = n);
            by_hand const hand(as_vector(A), as_vector(B), as_vector(C), R.data(), n, width);
            for (std::int64_t i = 0; i < width; ++i) {
                auto const at = static_cast<std::size_t>(i);
                CHECK(std::get<0>(all)[i] == hand.p[at]);
                CHECK(std::get<1>(all)[i] == hand.q[at]);
                CHECK(std::get<2>(all)[i] == hand.r[at]);
                CHECK(std::get<3>(all)[i] == hand.s[at]);
                for (std::int64_t t = 0; t < most; ++t) {
                    auto const row = static_cast<std::size_t>(t);
                    CHECK(std::get<4>(all)[t * width + i] == (t < n ? hand.next[row][at] : 0));
                    CHECK(std::get<5>(all)[t * width + i] == (t < n ? hand.next[row][at] : 0));
                    CHECK(std::get<6>(all)[t * width + i] == (t < n ? hand.before[row][at] : 0));
                    CHECK(std::get<7>(all)[t * width + i] == (t < n ? hand.twice[row][at] : 0));
                }
            }
        }
}

TEST_CASE("their gradients are finite differences, and those of the gradients too") {
    auto const [p, q, r, s, next, again, before, twice] = xg::scan<shifts>(xg::carry(a, b, c, a).turns(number), rows);
    auto const loss = xg::sum(p * q + r * s) + xg::sum(next * again * before) + xg::sum(xg::square(twice));
    auto const first = xg::gradients(loss, a, b, c, rows);
    auto const slope = xg::sum(xg::square(std::get<0>(first))) + xg::sum(std::get<3>(first) * 0.25_c);
    auto const list = list_of(std::tuple_cat(std::tuple{loss, slope}, first, xg::gradients(slope, a, b, rows)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    constexpr std::int64_t width = 12;
    auto const A = test::numbers<double>({width}), B = test::numbers<double>({width}, -1, 1, 2);
    auto const C = test::numbers<double>({width}, -1, 1, 3), R = test::numbers<double>({most, width}, -1, 1, 4);
    for (std::int32_t n : {0, 1, 2, 3, most}) {
        auto const all = f(a = A, b = B, c = C, rows = R, number = n);
        std::array<std::vector<double>, 7> const found{as_vector_of(std::get<2>(all)), as_vector_of(std::get<3>(all)),
            as_vector_of(std::get<4>(all)), as_vector_of(std::get<5>(all)), as_vector_of(std::get<6>(all)), as_vector_of(std::get<7>(all)),
            as_vector_of(std::get<8>(all))};
        auto difference = [&](int operand, std::int64_t i, bool of_slope) {
            constexpr double h = 1e-5;
            std::array<double, 2> values{};
            for (int side = 0; side < 2; ++side) {
                auto one = A, two = B, three = C, four = R;
                (operand == 0 ? one : operand == 1 ? two : operand == 2 ? three : four)[i] += side == 0 ? h : -h;
                auto const v = f(a = one, b = two, c = three, rows = four, number = n);
                values[static_cast<std::size_t>(side)] = of_slope ? std::get<1>(v) : std::get<0>(v);
            }
            return (values[0] - values[1]) / (2 * h);
        };
        for (int k = 0; k < 7; ++k) {
            int const operand = k < 4 ? k : k == 6 ? 3 : k - 4;
            auto const& g = found[static_cast<std::size_t>(k)];
            for (std::size_t i = 0; i < g.size(); i += 5)
                CHECK(g[i] == doctest::Approx(difference(operand, static_cast<std::int64_t>(i), k >= 4)).epsilon(1e-6).scale(1));
        }
    }
}
