// SPDX-License-Identifier: MIT
// Cumulative operations against loops: all forms, both kinds of axes, edges. argmax and argmin.
#include <support/tensor.hpp>

#include <xgrad/ops/over_axes/arg_reduce.hpp>
#include <xgrad/ops/over_axes/cumulative.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::cumulative;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
constexpr auto both = cumulative::exclusive | cumulative::reverse;
constexpr double inf = std::numeric_limits<double>::infinity(), no = std::numeric_limits<double>::quiet_NaN();

/// Rows and columns of a rule against a loop from each result back to the beginning.
template<class Rule, cumulative How, class T>
void check_loops(std::int64_t n, std::int64_t inner, auto const& combine, T start, double low, double high, double allowed) {
    auto const in = test::numbers<T>({2, n, inner}, low, high, 3);
    test::tensor<T> y({2, n, inner});
    using views = xg::op::cumulative_columns<Rule, How>;
    std::int64_t const turns = 2 * inner;
    for (std::int64_t first = 0, size = 1; first < turns; first += size, size = 2 * size + 1) {   // parts of different sizes
        xg::kernel_part const part{first, std::min(turns, first + size), nullptr, nullptr};
        views::run(part, xg::tensor_view<T const, 3>(in.data(), {2, n, inner}), xg::tensor_view<T, 3>(y.data(), {2, n, inner}));
    }
    double worst = 0;
    std::vector<T> row(static_cast<std::size_t>(n)), result(static_cast<std::size_t>(n));
    for (std::int64_t column = 0; column < turns; ++column) {
        std::int64_t const at = column / inner * n * inner + column % inner;
        for (std::int64_t k = 0; k < n; ++k) row[static_cast<std::size_t>(k)] = in[at + k * inner];
        xg::op::cumulative_row<Rule, How>::row(std::span<T const>(row), std::span<T>(result));
        bool const reverse = xg::op::from_end(How);
        for (std::int64_t k = 0; k < n; ++k) {
            auto expected = static_cast<long double>(start);
            std::int64_t const last = xg::op::excludes(How) ? (reverse ? k + 1 : k - 1) : k;
            if (reverse)
                for (std::int64_t j = n - 1; j >= last; --j) expected = combine(expected, static_cast<long double>(in[at + j * inner]));
            else
                for (std::int64_t j = 0; j <= last; ++j) expected = combine(expected, static_cast<long double>(in[at + j * inner]));
            if constexpr (std::is_integral_v<T>) {
                worst = std::max(worst, y[at + k * inner] == static_cast<T>(expected) ? 0.0 : 1e9);
                worst = std::max(worst, result[static_cast<std::size_t>(k)] == static_cast<T>(expected) ? 0.0 : 1e9);
            } else {
                worst = std::max(worst, test::ulps(y[at + k * inner], expected));
                worst = std::max(worst, test::ulps(result[static_cast<std::size_t>(k)], expected));
            }
        }
    }
    CHECK(worst <= allowed);
}
template<class Rule, class T>
void check_forms(auto const& combine, T start, double low, double high, double allowed) {
    for (auto const& [n, inner] : {std::pair{0, 3}, {1, 2}, {2, 1}, {17, 5}, {40, 1}, {3, 1100}}) {
        check_loops<Rule, cumulative::inclusive>(n, inner, combine, start, low, high, allowed);
        check_loops<Rule, cumulative::exclusive>(n, inner, combine, start, low, high, allowed);
        check_loops<Rule, cumulative::reverse>(n, inner, combine, start, low, high, allowed);
        check_loops<Rule, both>(n, inner, combine, start, low, high, allowed);
    }
}
template<class T>
std::vector<T> row_of(auto const& op, std::vector<T> const& x) {
    std::vector<T> y(x.size());
    op(std::span<T const>(x), std::span<T>(y));
    return y;
}
}

TEST_CASE_TEMPLATE("rows and columns against loops", T, float, double, std::int32_t, std::int64_t) {
    constexpr bool integer = std::is_integral_v<T>;
    auto const sum = [](long double a, long double b) { return a + b; };
    auto const product = [](long double a, long double b) { return a * b; };
    T const lowest = integer ? std::numeric_limits<T>::lowest() : static_cast<T>(-inf);
    T const largest = integer ? std::numeric_limits<T>::max() : static_cast<T>(inf);
    constexpr bool wide = std::is_same_v<T, double>;
    check_forms<xg::op::cumulative_sum, T>(sum, 0, 0, 100, wide ? 40 : 4);   // columns of floats are summed in float
    check_forms<xg::op::cumulative_product, T>(product, 1, integer ? -1 : 0.5, integer ? 2 : 1.5, wide ? 40 : 0.51);
    check_forms<xg::op::cumulative_extremum<true>, T>([](long double a, long double b) { return std::max(a, b); }, lowest, -100, 100, 0);
    check_forms<xg::op::cumulative_extremum<false>, T>([](long double a, long double b) { return std::min(a, b); }, largest, -100, 100, 0);
    if constexpr (!integer) {
        auto const log_add = [](long double a, long double b) {
            return a == -HUGE_VALL ? b : std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
        };
        check_forms<xg::op::cumulative_log_sum_exp, T>(log_add, static_cast<T>(-inf), 1, 9, wide ? 20 : 0.51);
    }
}

TEST_CASE("long columns of floats keep their digits") {
    auto const sum = [](long double a, long double b) { return a + b; };
    check_loops<xg::op::cumulative_sum, cumulative::inclusive, float>(1500, 2, sum, 0, 250, 320, 2);
    check_loops<xg::op::cumulative_sum, both, float>(1100, 2, sum, 0, -1, 320, 2);
}

TEST_CASE("edges of rows: NaN, infinities, integers that wrap, long sums of floats") {
    auto const most = [](auto x, auto y) { xg::op::cumulative_row<xg::op::cumulative_extremum<true>, cumulative::inclusive>::row(x, y); };
    auto const least = [](auto x, auto y) { xg::op::cumulative_row<xg::op::cumulative_extremum<false>, both>::row(x, y); };
    auto const logs = [](auto x, auto y) { xg::op::cumulative_row<xg::op::cumulative_log_sum_exp, cumulative::inclusive>::row(x, y); };
    auto const sums = [](auto x, auto y) { xg::op::cumulative_row<xg::op::cumulative_sum, cumulative::inclusive>::row(x, y); };
    auto const same = [](std::vector<double> const& a, std::vector<double> const& b) {
        for (std::size_t k = 0; k < b.size(); ++k)
            CHECK((a[k] == doctest::Approx(b[k]).epsilon(1e-14) || a[k] == b[k] || (a[k] != a[k] && b[k] != b[k])));
    };
    same(row_of<double>(most, {-inf, 2, 1, no, 5}), {-inf, 2, 2, no, no});
    same(row_of<double>(least, {3, 1, no, 4, 2}), {no, no, 2, 2, inf});
    same(row_of<double>(logs, {-inf, -inf, 0, -inf, 0, 2000}), {-inf, -inf, 0, 0, std::log(2), 2000});
    same(row_of<double>(logs, {-5000, -5000, inf, 3, inf}), {-5000, -5000 + std::log(2), inf, inf, inf});
    same(row_of<double>(logs, {1, no, 2}), {1, no, no});
    CHECK(row_of<std::int32_t>(sums, {2147483647, 1, 1})[2] == -2147483647);
    std::vector<float> const tenths(1'000'000, 0.1F);
    CHECK(row_of<float>(sums, tenths).back() == static_cast<float>(1e6 * static_cast<double>(0.1F)));
    std::vector<float> const zeros(1'000'000, 0.0F);
    CHECK(row_of<float>(logs, zeros).back() == static_cast<float>(std::log(1e6)));
}

TEST_CASE("empty axes, one number, 16 bits") {
    constexpr auto x = xg::input<"x", float, batch, length>;
    constexpr auto h = xg::input<"h", xg::bfloat16, batch>;
    xg::function f{xg::outputs(xg::cumsum<0>(x), xg::cumprod<1, both>(x), xg::argmax<0>(x), xg::argmin<1>(x),
        xg::gradient_of(xg::sum(xg::cumprod<0>(x)), x), xg::cumsum(h), xg::argmax(h))};
    for (auto const& [n, m] : {std::pair<std::int64_t, std::int64_t>{0, 3}, {3, 0}, {1, 1}}) {
        auto const r =
            f(x = test::tensor<float>({n, m}, 2.0F), h = std::vector<xg::bfloat16>(static_cast<std::size_t>(n), xg::bfloat16(0.5F)));
        CHECK((std::get<0>(r).shape() == std::array{n, m}));
        CHECK((std::get<2>(r).shape() == std::array{m}));
        for (auto const e : std::get<2>(r)) CHECK(e == 0);
        for (auto const e : std::get<3>(r)) CHECK(e == 0);
        for (auto const e : std::get<1>(r)) CHECK(e == 1);
        for (auto const e : std::get<4>(r)) CHECK(e == 1);
        if (n > 0) CHECK(std::get<5>(r)[n - 1] == 0.5F * static_cast<float>(n));
    }
}

TEST_CASE_TEMPLATE("argmax and argmin against loops", T, float, double, std::int32_t, std::int64_t, bool) {
    auto const first = [](std::vector<T> const& x, bool largest) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < x.size() && x[best] == x[best]; ++k)
            if (x[k] != x[k] || (largest ? x[k] > x[best] : x[k] < x[best])) best = k;
        return static_cast<std::int32_t>(best);
    };
    auto const check = [&](std::int64_t n, std::int64_t inner, bool with_nan) {
        auto const in = test::numbers<double>({1, n, inner}, -9, 9, static_cast<std::uint64_t>(n + inner));
        test::tensor<T> x({1, n, inner});
        for (std::int64_t i = 0; i < x.size(); ++i) x[i] = std::is_same_v<T, bool> ? static_cast<T>(in[i] > 0) : static_cast<T>(in[i]);
        if constexpr (std::is_floating_point_v<T>)
            for (std::int64_t i = 0; i < x.size(); ++i)
                x[i] = with_nan && i % 31 == 30 ? std::numeric_limits<T>::quiet_NaN()
                       : i % 37 == 5            ? std::copysign(std::numeric_limits<T>::infinity(), x[i])
                                                : std::floor(x[i]);   // ties
        test::tensor<std::int32_t> most({inner}), least({inner});
        xg::kernel_part const low{0, inner / 3, nullptr, nullptr}, high{inner / 3, inner, nullptr, nullptr};
        for (auto const& part : {low, high}) {
            xg::tensor_view<T const, 3> const view(x.data(), {1, n, inner});
            xg::op::arg_columns<true>::run(part, view, xg::tensor_view<std::int32_t, 2>(most.data(), {1, inner}));
            xg::op::arg_columns<false>::run(part, view, xg::tensor_view<std::int32_t, 2>(least.data(), {1, inner}));
        }
        bool same = true;
        for (std::int64_t c = 0; c < inner; ++c) {
            test::tensor<T> row({n});   // std::vector<bool> has no rows
            std::vector<T> copy(static_cast<std::size_t>(n));
            for (std::int64_t k = 0; k < n; ++k) copy[static_cast<std::size_t>(k)] = row[k] = x[k * inner + c];
            std::int32_t at[2]{};
            std::span<T const> const span(row.data(), static_cast<std::size_t>(n));
            xg::op::arg_row<true>::row(span, std::span(at, 1));
            xg::op::arg_row<false>::row(span, std::span(at + 1, 1));
            same = same && at[0] == first(copy, true) && at[1] == first(copy, false) && most[c] == at[0] && least[c] == at[1];
        }
        CHECK(same);
    };
    for (std::int64_t n : {1, 2, 31, 32, 33, 64, 100}) {
        check(n, 5, false);
        check(n, 29, false);
        check(n, 600, false);
        check(n, 3, true);
    }
    check(3, 1200, true);
}

TEST_CASE("argmax of any axis") {
    constexpr auto x = xg::input<"x", float, 2, 3, batch>;
    xg::function f{xg::outputs(xg::argmax(x), xg::argmin<1>(x), xg::argmax<-1>(x), xg::argmax<0>(x > 0_c))};
    auto const in = test::numbers<float>({2, 3, 4}, -1, 1, 11);
    auto const [a, b, c, d] = f(x = in);
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(xg::cast<float>(xg::argmax(x))), x))>);
    CHECK((a.shape() == std::array<std::int64_t, 2>{3, 4} && b.shape() == std::array<std::int64_t, 2>{2, 4}));
    for (std::int64_t i = 0; i < 12; ++i) {
        CHECK(a[i] == (in[12 + i] > in[i] ? 1 : 0));
        CHECK(d[i] == (in[12 + i] > 0 && !(in[i] > 0) ? 1 : 0));
    }
    for (std::int64_t i = 0; i < 2; ++i)
        for (std::int64_t k = 0; k < 4; ++k)
            for (std::int64_t j = 0; j < 3; ++j) CHECK(in[12 * i + 4 * b(i, k) + k] <= in[12 * i + 4 * j + k]);
    for (std::int64_t i = 0; i < 6; ++i)
        for (std::int64_t k = 0; k < 4; ++k) CHECK(in[4 * i + c[i]] >= in[4 * i + k]);
}
