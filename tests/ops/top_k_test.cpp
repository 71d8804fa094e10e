// SPDX-License-Identifier: MIT
// Operations with several outputs: top_k against std::stable_sort, moments, gradients of all outputs, of some, and of gradients.
#include <support/copy.hpp>
#include <support/tensor.hpp>

#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

/// Positions of a row in the order of top_k: NaN first, then the largest; of equal ones the first.
std::vector<std::int32_t> order(double const* row, std::int64_t n) {
    std::vector<std::int32_t> at(static_cast<std::size_t>(n));
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](auto a, auto b) {
        if (row[a] != row[a]) return !(row[b] != row[b]);
        return row[a] > row[b];
    });
    return at;
}
/// `largest` and `where` are k of each row of n `values`; either may be absent.
void check_rows(std::vector<double> const& values, std::int64_t rows, std::int64_t n, std::int64_t k, std::vector<double> const* largest,
    std::vector<double> const* where) {
    for (auto const* r : {largest, where})
        if (r != nullptr) REQUIRE(static_cast<std::int64_t>(r->size()) == rows * k);
    for (std::int64_t r = 0; r < rows; ++r) {
        double const* row = values.data() + r * n;
        auto const expected = order(row, n);
        for (std::int64_t q = 0; q < k; ++q) {
            std::int32_t const e = expected[static_cast<std::size_t>(q)];
            auto const at = static_cast<std::size_t>(r * k + q);
            if (where != nullptr) CHECK((*where)[at] == e);
            if (largest != nullptr) CHECK(((*largest)[at] == row[e] || ((*largest)[at] != (*largest)[at] && row[e] != row[e])));
        }
    }
}
template<class T, std::int64_t N, std::int64_t K>
void check(test::tensor<T> const& values) {
    constexpr auto x = xg::input<"x", T, batch, N>;
    auto const [largest, where] = xg::top_k<K>(x);
    xg::function both{xg::outputs(largest, where)};
    auto const [v, i] = both(x = values);
    std::int64_t const rows = values.shape()[0];
    std::vector<double> const in = test::copy<double>(values), chosen = test::copy<double>(v), positions = test::copy<double>(i);
    check_rows(in, rows, N, K, &chosen, &positions);
    if constexpr (std::is_same_v<T, float> && K == 4) {   // one output without the other
        xg::function<xg::expression_list<std::remove_cvref_t<decltype(largest)>>> one{largest};
        xg::function<xg::expression_list<std::remove_cvref_t<decltype(where)>>> other{where};
        std::vector<double> const alone = test::copy<double>(one(x = values)), places = test::copy<double>(other(x = values));
        check_rows(in, rows, N, K, &alone, nullptr);
        check_rows(in, rows, N, K, nullptr, &places);
    }
    if constexpr (K == 7) CHECK((v.shape() == std::array<std::int64_t, 2>{rows, K} && i.shape() == v.shape()));
}
}

TEST_CASE_TEMPLATE("top_k against std::stable_sort", T, float, double, std::int32_t, std::int64_t) {
    for (std::int64_t rows : {0, 1, 3, 17}) {
        auto const small = test::numbers<T>({rows, 1}, -9, 9), many = test::numbers<T>({rows, 40}, -9, 9);   // integers have ties
        check<T, 40, 7>(many);
        if constexpr (std::is_same_v<T, float>) {   // how many are chosen is a matter of one type
            check<T, 1, 1>(small);
            check<T, 40, 1>(many);
            check<T, 40, 40>(many);
        }
    }
}

TEST_CASE("top_k of ties, NaN, infinities and zeros of both signs") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    test::tensor<float> x({4, 6});
    float const rows[4][6]{
        {1, 2, 2, 2, 1, 2}, {nan, 1, nan, inf, -inf, 0}, {-0.0F, 0.0F, -0.0F, 0.0F, -1, -0.0F}, {-inf, -inf, nan, -inf, 0, -inf}};
    for (std::int64_t r = 0; r < 4; ++r)
        for (std::int64_t k = 0; k < 6; ++k) x[r * 6 + k] = rows[r][k];
    check<float, 6, 1>(x);
    check<float, 6, 4>(x);
    check<float, 6, 6>(x);
}

TEST_CASE("top_k of a vector, of rank three, of an expression, and its positions in a lookup") {
    constexpr auto v = xg::input<"v", double, 5>;
    constexpr auto t = xg::input<"t", double, batch, 2, 4>;
    constexpr auto table = xg::input<"table", double, 4, 3>;
    auto const [largest, where] = xg::top_k<2>(-v);
    auto const [inner, at] = xg::top_k<3>(t);
    xg::function f{xg::outputs(
        largest, where, inner, xg::gather(table, at), xg::concat<1>(xg::reshape<batch * 2, 3>(inner), xg::reshape<batch * 2, 4>(t)))};
    auto const a = test::list<double>({3, 1, 2, 1, 5});
    auto const b = test::numbers<double>({3, 2, 4}), c = test::numbers<double>({4, 3});
    auto const [x, i, y, rows, joined] = f(v = a, t = b, table = c);
    CHECK(x[0] == -1);
    CHECK(x[1] == -1);
    CHECK(i[0] == 1);
    CHECK(i[1] == 3);
    for (std::int64_t r = 0; r < 6; ++r) {
        auto const expected = order(b.data() + r * 4, 4);
        for (std::int64_t k = 0; k < 3; ++k) {
            std::int32_t const e = expected[static_cast<std::size_t>(k)];
            CHECK(y[r * 3 + k] == b[r * 4 + e]);
            CHECK(joined[r * 7 + k] == b[r * 4 + e]);
            for (std::int64_t q = 0; q < 3; ++q) CHECK(rows[(r * 3 + k) * 3 + q] == c[e * 3 + q]);
        }
    }
}

TEST_CASE("gradients of top_k against finite differences") {
    using T = double;
    constexpr auto x = xg::input<"x", T, batch, 6>;
    constexpr auto w = xg::input<"w", T, batch, 3>;
    auto const [largest, where] = xg::top_k<3>(x * xg::exp(x));
    auto const loss = xg::sum(largest * w * largest);
    auto const both = loss + xg::sum(xg::square(xg::gradient_of(loss, x)));   // its gradient differentiates that of the loss again
    for (std::int64_t rows : {1, 4}) {
        test::tensor<T> a({rows, 6});
        for (std::int64_t i = 0; i < a.size(); ++i)
            a[i] = static_cast<T>(static_cast<double>(i * 5 % 6) * 0.3 + static_cast<double>(i) * 0.011);
        auto const b = test::numbers<T>({rows, 3}, 0.5, 1.5);
        auto const r = xg::check_gradients(both, xg::wrt(x, w), x = a, w = b);
        CHECK_MESSAGE(r.ok, r.message);
    }
}

TEST_CASE("the gradient of top_k goes to the chosen positions only, and none to where nothing passes") {
    constexpr auto x = xg::input<"x", float, batch, 4>;
    auto const [largest, where] = xg::top_k<2>(x);
    auto const weight = xg::cast<float>(where);   // no gradient passes through positions
    static_assert(xg::NoGradient<decltype(xg::gradient_of(xg::sum(weight), x))>);
    xg::function f{xg::gradient_of(xg::sum(largest * weight), x)};
    test::tensor<float> a({2, 4});
    float const values[]{4, 1, 3, 2, 0, 7, 7, 7};
    std::copy(std::begin(values), std::end(values), a.data());
    auto const g = f(x = a);
    float const expected[]{0, 0, 2, 0, 0, 1, 2, 0};
    for (std::int64_t i = 0; i < 8; ++i) CHECK(g[i] == expected[i]);
    CHECK(f(x = test::tensor<float>({0, 4})).size() == 0);
}

TEST_CASE("planner on and off agree on operations with several outputs") {
    constexpr auto x = xg::input<"x", double, batch, 9>;
    auto const [largest, where] = xg::top_k<4>(xg::tanh(x));
    auto const [mean, variance] = xg::moments<-1>(largest);
    auto const loss = xg::sum(variance * mean) + xg::sum(xg::cast<double>(where) * largest);
    using E = std::remove_cvref_t<decltype(xg::gradient_of(loss, x))>;
    using list = xg::expression_list<E, std::remove_cvref_t<decltype(loss)>>;
    xg::function<list> fused{list{}};
    xg::function<list, xg::program<list, xg::no_updates, xg::gating::none, false>> plain{list{}};
    auto const a = test::numbers<double>({7, 9});
    auto const [g, l] = fused(x = a);
    auto const [h, m] = plain(x = a);
    CHECK(l == doctest::Approx(m).epsilon(1e-14));
    for (std::int64_t i = 0; i < g.size(); ++i) CHECK(test::ulps(g[i], h[i]) <= 16);
}

TEST_CASE("one operation however many of its outputs are read, and no memory for those that are not") {
    constexpr auto x = xg::input<"x", float, batch, 8>;
    auto const [largest, where] = xg::top_k<2>(x);
    auto const [again, there] = xg::top_k<2>(x);
    static_assert(std::is_same_v<decltype(largest), decltype(again)>);
    using both = decltype(xg::function{xg::outputs(largest, where, xg::exp(again))});
    using one = decltype(xg::function{largest});
    int functions = 0;
    for (int s = 0; s < both::program_type::plan.step_count; ++s)
        functions += both::program_type::plan.steps[s].kind == xg::planner::step_kind::kernel;
    CHECK(functions == 1);
    static_assert(xg::cost_of<one>.arena_bytes(batch = 16) == 16 * 2 * 4);
    static_assert(xg::cost_of<one>.bytes_read(batch = 16) == 16 * 8 * 4 && xg::cost_of<one>.bytes_written(batch = 16) == 16 * 2 * 4);
    static_assert(xg::cost_of<one>.flops(batch = 16) == 16 * 8 * 2);
    CHECK(xg::describe<one>().find("[batch, 8]  top_k(x) row by row → result, _") != std::string::npos);
    CHECK(xg::describe<both>().find("top_k(x) row by row → result.0, result.1") != std::string::npos);
}

TEST_CASE("moments: mean and variance, their gradients") {
    constexpr auto x = xg::input<"x", double, batch, 5>;
    auto const [m, v] = xg::moments<0>(x);
    auto const [mean, variance] = xg::moments<>(x);
    xg::function f{xg::outputs(m, v, mean, variance, xg::gradient_of(xg::sum(m * v) + variance * mean, x))};
    for (std::int64_t rows : {1, 6}) {
        auto const a = test::numbers<double>({rows, 5});
        auto const [p, q, whole, spread, slope] = f(x = a);
        auto const n = static_cast<double>(rows);
        double sum = 0, squares = 0;
        for (double const e : a) sum += e / (5 * n);
        for (double const e : a) squares += (e - sum) * (e - sum) / (5 * n);
        CHECK(whole == doctest::Approx(sum).epsilon(1e-12));
        CHECK(spread == doctest::Approx(squares).epsilon(1e-12));
        for (std::int64_t k = 0; k < 5; ++k) {
            double s = 0, d = 0;
            for (std::int64_t r = 0; r < rows; ++r) s += a[r * 5 + k] / n;
            for (std::int64_t r = 0; r < rows; ++r) d += (a[r * 5 + k] - s) * (a[r * 5 + k] - s) / n;
            CHECK(p[k] == doctest::Approx(s).epsilon(1e-12));
            CHECK(q[k] == doctest::Approx(d).epsilon(1e-12));
            for (std::int64_t r = 0; r < rows; ++r) {
                double const e = a[r * 5 + k];
                CHECK(slope(r, k) == doctest::Approx((d + s * 2 * (e - s)) / n + (squares + sum * 2 * (e - sum)) / (5 * n)).epsilon(1e-12));
            }
        }
    }
}

namespace {
/// The first `count` elements of each row.
struct head_op : xg::row_op {
    struct attributes {
        std::int64_t count;
    };
    static constexpr std::string_view name = "head";
    static constexpr int outputs = 1;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const& a, int) {
        xg::value_info r = v[0];
        r.dims.extents[r.dims.rank - 1] = xg::static_extent(a.as<attributes>().count);
        return r;
    }
    template<class T>
    static void row(std::span<T const> x, std::span<T> out) {
        std::copy_n(x.begin(), out.size(), out.begin());
    }
};
}   // namespace
TEST_CASE("a function on rows with attributes of its own") {
    constexpr auto x = xg::input<"x", float, batch, 5>;
    constexpr auto head = xg::row_function<xg::with<head_op, head_op::attributes{2}>>{}(x);
    constexpr auto more = xg::row_function<xg::with<head_op, head_op::attributes{3}>>{}(x);
    xg::function f{xg::outputs(head, more)};
    float const rows[2][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
    auto const [two, three] = f(x = rows);
    CHECK(test::copy<double>(two) == std::vector<double>{1, 2, 6, 7});
    CHECK(test::copy<double>(three) == std::vector<double>{1, 2, 3, 6, 7, 8});
}
