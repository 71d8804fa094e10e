// SPDX-License-Identifier: MIT
// Order statistics, searchsorted and in_top_k against sorted copies and NumPy.
#include <ops/close.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/over_axes/order.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::check_close;
using test::same;
inline constexpr xg::dim batch{"batch"};
constexpr double inf = std::numeric_limits<double>::infinity(), no = std::numeric_limits<double>::quiet_NaN();
template<class T>
bool before(T a, T b) {
    return a < b || (a == a && b != b);
}
/// The elements around a place, and their positions, against a stable sort.
template<class T>
void check_places(std::vector<T> const& row, double step = 0.5) {
    std::size_t const n = row.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return before(row[a], row[b]); });
    std::vector<T> memory(n);
    bool all = true;
    for (double place = -0.5; place <= static_cast<double>(n); place += step) {
        T value[2]{};
        std::int32_t at[2]{};
        xg::op::order_statistic<false>::row(std::span<T const>(row), std::span<double const>(&place, 1), std::span(value, 1),
            std::span(value + 1, 1), std::span(at, 1), std::span(at + 1, 1), std::span<T>(memory));
        if (place < 0 || place > static_cast<double>(n) - 1) {
            all = all && at[0] == -1 && at[1] == -1 && (std::is_integral_v<T> ? value[0] == T(0) : value[0] != value[0]);
            continue;
        }
        std::size_t const low = order[static_cast<std::size_t>(std::floor(place))],
                          high = order[static_cast<std::size_t>(std::ceil(place))];
        all = all && at[0] == static_cast<std::int32_t>(low) && at[1] == static_cast<std::int32_t>(high) && same(value[0], row[low]) &&
              same(value[1], row[high]);
    }
    CHECK(all);
}
template<class T>
std::vector<T> integers(std::int64_t n, double low, double high, std::uint64_t seed) {
    auto const t = test::numbers<double>({n}, low, high, seed);
    std::vector<T> r;
    for (double const e : t) r.push_back(static_cast<T>(std::floor(e)));
    return r;
}
}

TEST_CASE_TEMPLATE("elements by their rank against a stable sort", T, float, double, std::int32_t, std::int64_t) {
    for (std::int64_t n : {1, 2, 3, 8, 33}) {
        check_places(integers<T>(n, -4, 4, 1));   // ties
        check_places(integers<T>(n, -400, 400, 2));
    }
    // Longer rows are searched around a sample: with few and many ties, sorted, with a sample that is like no other element.
    for (std::int64_t n : {257, 300, 1000}) {
        check_places(integers<T>(n, -9, 9, 3), 9.5);
        std::vector<T> row = integers<T>(n, -4000, 4000, 4);
        check_places(row, 3.5);
        for (std::int64_t i = 0; i < 64; ++i) row[static_cast<std::size_t>(i * n / 64)] = static_cast<T>(i - 5000);
        check_places(row, 7.5);
        std::sort(row.begin(), row.end());
        check_places(row, 5.5);
        check_places(std::vector<T>(static_cast<std::size_t>(n), T(7)), 20.5);
        if constexpr (std::is_floating_point_v<T>) {
            row[100] = std::numeric_limits<T>::quiet_NaN();
            check_places(row, 6.5);
        }
    }
    if constexpr (std::is_floating_point_v<T>) {
        T const nan = std::numeric_limits<T>::quiet_NaN(), most = std::numeric_limits<T>::infinity();
        check_places(std::vector<T>{nan, 1, nan, most, -most, 1, 0, -T(0)});
        check_places(std::vector<T>{nan, nan});
    }
    check_places(std::vector<T>{});
}

TEST_CASE("searchsorted and in_top_k") {
    std::vector<double> const sorted{-inf, -1, 0, 0, 2, no}, values{-inf, -2, -1, -0.0, 0.5, 2, 3, inf, no};
    std::vector<std::int32_t> left(values.size()), right(values.size()), none(values.size());
    xg::op::searchsorted<xg::side::left>::row(std::span(sorted), std::span(values), std::span(left));
    xg::op::searchsorted<xg::side::right>::row(std::span(sorted), std::span(values), std::span(right));
    xg::op::searchsorted<xg::side::right>::row(std::span(sorted).first(0), std::span(values), std::span(none));
    CHECK(left == std::vector<std::int32_t>{0, 1, 1, 2, 4, 4, 5, 5, 5});    // np.searchsorted
    CHECK(right == std::vector<std::int32_t>{1, 1, 2, 4, 4, 5, 5, 5, 6});   // side='right'
    CHECK(none == std::vector<std::int32_t>(values.size()));
    auto const among = [](std::vector<float> const& p, std::int64_t const target) {
        bool r[3]{};
        std::int32_t const narrow = static_cast<std::int32_t>(target);
        xg::op::in_top_k<1>::row(std::span(p), std::span(&target, 1), std::span(r, 1));
        xg::op::in_top_k<2>::row(std::span(p), std::span(&narrow, 1), std::span(r + 1, 1));
        xg::op::in_top_k<9>::row(std::span(p), std::span(&target, 1), std::span(r + 2, 1));
        return 100 * r[0] + 10 * r[1] + r[2];
    };
    CHECK(among({0.1F, 0.7F, 0.2F}, 1) == 111);
    CHECK(among({0.1F, 0.7F, 0.2F}, 2) == 11);
    CHECK(among({0.1F, 0.7F, 0.2F}, 0) == 1);
    CHECK(among({0.5F, 0.5F, 0.5F}, 2) == 111);   // ties count for it
    CHECK(among({0.1F, 0.7F, 0.2F}, 3) == 0);
    CHECK(among({0.1F, 0.7F, 0.2F}, -1) == 0);
    CHECK(among({0.1F, static_cast<float>(inf), 0.2F}, 0) == 0);
    CHECK(among({0.1F, static_cast<float>(no), 0.2F}, 0) == 0);

    constexpr auto grid = xg::input<"grid", float, 5>;
    constexpr auto grids = xg::input<"grids", float, batch, 5>;
    constexpr auto v = xg::input<"v", float, batch, 2, 3>;
    constexpr auto t = xg::input<"t", std::int32_t, batch>;
    xg::function f{
        xg::outputs(xg::searchsorted(grid, v), xg::searchsorted<xg::side::right>(grids, xg::sum<2>(v)), xg::in_top_k<2>(grids, t))};
    auto const a = test::numbers<float>({2, 2, 3}, 0, 5);
    test::tensor<float> rows({2, 5});
    for (std::int64_t i = 0; i < 10; ++i) rows[i] = static_cast<float>(i % 5);
    auto const [all, each, top] =
        f(grid = test::list({0.0F, 1.0F, 2.0F, 3.0F, 4.0F}), grids = rows, v = a, t = std::vector<std::int32_t>{3, 2});
    for (std::int64_t i = 0; i < 12; ++i) CHECK(all[i] == static_cast<std::int32_t>(std::min(5.0F, std::ceil(a[i]))));
    for (std::int64_t i = 0; i < 4; ++i)
        CHECK(each[i] == static_cast<std::int32_t>(std::min(5.0F, std::floor(a[3 * i] + a[3 * i + 1] + a[3 * i + 2]) + 1)));
    CHECK((top[0] && !top[1]));
}

TEST_CASE("the smallest k, against sort") {
    constexpr auto v = xg::input<"v", float, batch, 6>;
    auto const [least, at] = xg::bottom_k<4>(v);
    auto const [sorted, order] = xg::sort(v);
    xg::function f{xg::outputs(least, at, sorted, order, xg::nth_element<2>(v), xg::gradient_of(xg::sum(xg::square(least)), v))};
    float const nan = static_cast<float>(no), most = static_cast<float>(inf);
    std::vector<float> const in{
        1, 2, 1, -1, 2, 1, nan, 1, nan, most, -most, 0, -0.0F, 0.0F, -0.0F, 0.0F, -1, 0, nan, nan, 3, nan, nan, nan};
    auto const [a, i, s, o, third, g] = f(v = xg::array(in, 4, 6));
    for (std::int64_t k = 0; k < 16; ++k) {
        std::int64_t const from = k / 4 * 6 + k % 4;
        CHECK(i[k] == o[from]);
        CHECK(same(a[k], s[from]));
    }
    for (std::int64_t r = 0; r < 4; ++r) CHECK(same(third[r], s[6 * r + 2]));
    check_close("slope", g, {2, 0, 2, -2, 0, 2, 0, 2, 0, inf, -inf, 0, 0, 0, 0, 0, -2, 0, no, no, 6, no, 0, 0});
}
