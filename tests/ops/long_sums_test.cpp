// SPDX-License-Identifier: MIT
// Sums of a million and more terms along each kind of axis, in lookups and in loops, against double.
#include <support/tensor.hpp>

#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim rows{"rows"};
constexpr std::int64_t million = 1'000'000;

/// The largest difference between a result and columns of numbers, relative to these.
template<class R>
double relative(R const& result, std::vector<double> const& expected) {
    double most = 0;
    std::size_t k = 0;
    for (auto const x : result) {
        double const e = expected[k++ % expected.size()];
        most = std::fmax(most, std::fabs(static_cast<double>(x) - e) / std::fabs(e));
    }
    CHECK(k >= expected.size());
    return most;
}
/// The sum of f(x) for each of the columns of [n, columns] numbers.
template<class T, class F>
std::vector<double> columns(T const* x, std::int64_t n, std::int64_t count, F const& f) {
    std::vector<double> sum(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t c = 0; c < count; ++c) sum[static_cast<std::size_t>(c)] += f(static_cast<double>(x[i * count + c]), c);
    return sum;
}
constexpr auto same = [](double x, std::int64_t) { return x; };
std::vector<double> scaled(std::vector<double> v, double by) {
    for (double& x : v) x *= by;
    return v;
}
/// Near 285, and one column of equal numbers, whose roundings all go one way.
std::vector<float> temperatures(std::int64_t n, std::int64_t count) {
    auto const x = test::numbers<float>({n, count}, 250, 320);
    std::vector<float> v(x.begin(), x.end());
    for (std::int64_t i = 0; i < n; ++i) v[static_cast<std::size_t>(i * count + 1)] = 285.3f;
    return v;
}

constexpr auto x = xg::input<"x", float, rows, 4>;
}

TEST_CASE("sums along the first axis, and what is made of them") {
    auto const in = temperatures(million, 4);
    auto const sum = columns(in.data(), million, 4, same), mean = scaled(sum, 1e-6);
    auto const squares = columns(in.data(), million, 4, [&](double v, std::int64_t c) {
        double const d = v - mean[static_cast<std::size_t>(c)];
        return d * d;
    });
    auto const moments = xg::moments<0>(x);
    xg::function f{xg::outputs(xg::sum<0>(x), xg::mean<0>(x), std::get<1>(moments), xg::sum<0>(1.5_c * x), xg::sum(x))};
    auto const [s, m, v, more, all] = f(x = xg::array(in.data(), million, 4));
    CHECK(relative(s, sum) < 1e-6);
    CHECK(relative(m, mean) < 1e-6);
    CHECK(relative(more, scaled(sum, 1.5)) < 1e-6);
    CHECK(std::fabs(all / (sum[0] + sum[1] + sum[2] + sum[3]) - 1) < 1e-6);
    std::vector<double> const variance = scaled(squares, 1e-6);
    for (std::int64_t c = 0; c < 4; ++c)   // the column of equal numbers has none
        CHECK(v(c) == doctest::Approx(variance[static_cast<std::size_t>(c)]).epsilon(c == 1 ? 1 : 1e-6));
    CHECK(v(1) < 1e-6);
}
TEST_CASE("exponentials summed along the first axis") {
    auto const in = test::numbers<float>({million, 4}, -2, 2);
    auto const sum = columns(in.data(), million, 4, [](double v, std::int64_t) { return std::exp(v); });
    xg::function f{xg::outputs(xg::log_sum_exp<0>(x), xg::sum<0>(xg::softmax<0>(x)), xg::softmax<0>(x))};
    auto const [l, one, p] = f(x = in);
    std::int64_t c = 0;
    for (double const e : sum) {
        CHECK(std::fabs(l(c) / std::log(e) - 1) < 1e-6);
        CHECK(std::fabs(one(c) - 1) < 1e-6);
        CHECK(std::fabs(p(7, c) * e / std::exp(static_cast<double>(in[28 + c])) - 1) < 1e-6);
        ++c;
    }
}
TEST_CASE("sums along a middle axis, the last one, and several") {
    constexpr auto middle = xg::input<"middle", float, 2, rows, 4>;
    constexpr auto last = xg::input<"last", float, 3, rows>;
    auto const in = temperatures(2 * million, 4);
    std::vector<float> turned(3 * million);
    for (std::int64_t i = 0; i < million; ++i)
        for (std::int64_t c = 0; c < 3; ++c) turned[static_cast<std::size_t>(c * million + i)] = in[static_cast<std::size_t>(4 * i + c)];
    auto sum = columns(in.data(), million, 4, same);
    auto const behind = columns(in.data() + 4 * million, million, 4, same);
    xg::function f{xg::outputs(xg::sum<1>(middle), xg::sum<1, 2>(middle), xg::sum<0, 1>(middle), xg::sum<0, 2>(middle), xg::sum<1>(last))};
    auto const [m, pages, rest, few, l] = f(middle = xg::array(in.data(), 2, million, 4), last = xg::array(turned.data(), 3, million));
    std::vector<double> both = sum, together;
    both.insert(both.end(), behind.begin(), behind.end());
    for (std::size_t c = 0; c < 4; ++c) together.push_back(sum[c] + behind[c]);
    CHECK(relative(m, both) < 1e-6);
    CHECK(relative(pages, {sum[0] + sum[1] + sum[2] + sum[3], behind[0] + behind[1] + behind[2] + behind[3]}) < 1e-6);
    CHECK(relative(rest, together) < 1e-6);
    CHECK(few.size() == million);
    sum.pop_back();
    CHECK(relative(l, sum) < 1e-6);
}
TEST_CASE("sums beside values of rows, over all and over some outer axes") {
    constexpr auto wide = xg::input<"wide", float, rows, 40>;
    constexpr auto deep = xg::input<"deep", float, 3, rows, 5>;
    std::int64_t const n = 100'000;
    auto const in = test::numbers<float>({n, 40}, 1, 2), other = test::numbers<float>({3, n, 5}, 1, 2);
    constexpr auto row = [](auto const& v) { return v * xg::max<-1>(v, xg::keep_dims); };
    xg::function f{xg::outputs(xg::sum<0>(row(wide)), xg::sum<1>(row(deep)), xg::sum<1>(xg::max<2>(deep)))};
    auto const [a, b, c] = f(wide = in, deep = other);
    auto const expected = [](float const* v, std::int64_t count, std::int64_t length) {
        std::vector<double> sum(static_cast<std::size_t>(length + 1));
        for (std::int64_t i = 0; i < count; ++i) {
            double const most = *std::max_element(v + i * length, v + (i + 1) * length);
            for (std::int64_t j = 0; j < length; ++j)
                sum[static_cast<std::size_t>(j)] += static_cast<double>(static_cast<float>(most * static_cast<double>(v[i * length + j])));
            sum.back() += most;
        }
        return sum;
    };
    auto first = expected(in.data(), n, 40);
    first.pop_back();
    CHECK(relative(a, first) < 1e-6);
    std::vector<double> products, most;
    for (int k = 0; k < 3; ++k) {
        auto part = expected(other.data() + k * n * 5, n, 5);
        most.push_back(part.back());
        products.insert(products.end(), part.begin(), part.end() - 1);
    }
    CHECK(relative(b, products) < 1e-6);
    CHECK(relative(c, most) < 1e-6);
}
TEST_CASE("halves and doubles") {
    constexpr auto brain = xg::input<"brain", xg::bfloat16, rows, 4>;
    constexpr auto half = xg::input<"half", xg::float16, rows, 4>;
    constexpr auto wide = xg::input<"wide", double, rows, 4>;
    auto const in = temperatures(million, 4);
    std::vector<xg::bfloat16> const b(in.begin(), in.end());
    std::vector<xg::float16> const h(in.begin(), in.end());
    std::vector<double> const d(in.begin(), in.end());
    xg::function f{xg::outputs(xg::sum<0>(brain), xg::mean<0>(half), xg::sum<0>(wide))};
    auto const [sb, mh, sd] =
        f(brain = xg::array(b.data(), million, 4), half = xg::array(h.data(), million, 4), wide = xg::array(d.data(), million, 4));
    auto const value = [](auto const* p) {
        std::vector<float> v(p, p + 4 * million);
        return columns(v.data(), million, 4, same);
    };
    CHECK(relative(sb, value(b.data())) < 1e-6);
    CHECK(relative(mh, scaled(value(h.data()), 1e-6)) < 1e-6);
    CHECK(relative(sd, columns(d.data(), million, 4, same)) < 1e-12);
}
TEST_CASE("gradients of a row, and of a row of a table that is looked up a million times") {
    constexpr auto ids = xg::input<"ids", std::int32_t, rows>;
    constexpr auto row = xg::variable<"row", float, 4>;
    constexpr auto table = xg::variable<"table", float, 3, 4>;
    constexpr auto scalars = xg::variable<"scalars", float, 3, 1>;
    auto const in = temperatures(million, 4);
    auto const sum = columns(in.data(), million, 4, same);
    std::vector<std::int32_t> const one(million, 1);
    constexpr auto loss = xg::sum((xg::gather(table, ids) + row + xg::gather(scalars, ids)) * x);
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 1.0});
    train(x = xg::array(in.data(), million, 4), ids = one);
    CHECK(relative(train.value(row), scaled(sum, -1)) < 1e-6);
    auto const& t = train.value(table);
    CHECK(relative(std::vector<float>(t.begin() + 4, t.begin() + 8), scaled(sum, -1)) < 1e-6);
    CHECK(std::fabs(train.value(scalars)(1, 0) / (sum[0] + sum[1] + sum[2] + sum[3]) + 1) < 1e-6);
    for (int c = 0; c < 4; ++c) CHECK(t(0, c) == 0);
    // dense gradients, where rows that are hit often are mixed with others
    std::vector<std::int32_t> mixed(million, 1);
    for (std::size_t i = 0; i < mixed.size(); i += 1000) mixed[i] = i % 2000 == 0 ? 2 : 0;
    xg::variables own{loss};
    xg::function f{xg::outputs(xg::gradient_of(loss, table).dense, xg::gradient_of(loss, scalars).dense), own};
    auto const [g, s] = f(x = xg::array(in.data(), million, 4), ids = mixed);
    std::vector<double> expected(12), single(3);
    for (std::size_t i = 0; i < mixed.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c) {
            expected[static_cast<std::size_t>(mixed[i]) * 4 + c] += static_cast<double>(in[4 * i + c]);
            single[static_cast<std::size_t>(mixed[i])] += static_cast<double>(in[4 * i + c]);
        }
    CHECK(relative(g, expected) < 1e-6);
    CHECK(relative(s, single) < 1e-6);
}
TEST_CASE("dense gradients of many rows, of which some are looked up often and others share their counts") {
    constexpr xg::dim places{"places"};
    constexpr auto ids = xg::input<"ids", std::int32_t, rows>;
    constexpr auto table = xg::input<"table", float, places, 4>;
    constexpr auto scalars = xg::input<"scalars", float, places, 1>;
    constexpr auto loss = xg::sum((xg::gather(table, ids) + xg::gather(scalars, ids)) * x);
    std::int64_t const n = 200'000, many = 1'000'000;
    auto const in = temperatures(n, 4), t = std::vector<float>(4 * many), s = std::vector<float>(many);
    std::vector<std::int32_t> mixed(n);
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        auto const k = static_cast<std::int32_t>(i);
        mixed[i] = i < 10'000 ? k : i < 60'000 ? k % 500 * 512 : i % 3 == 0 ? 512 : k * 4;   // one of them a third of the later ones
    }
    xg::function f{xg::outputs(xg::gradient_of(loss, table).dense, xg::gradient_of(loss, scalars).dense)};
    auto const [g, h] =
        f(x = xg::array(in.data(), n, 4), ids = mixed, table = xg::array(t.data(), many, 4), scalars = xg::array(s.data(), many, 1));
    std::vector<double> expected(4 * many), single(many);
    for (std::size_t i = 0; i < mixed.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c) {
            expected[static_cast<std::size_t>(mixed[i]) * 4 + c] += static_cast<double>(in[4 * i + c]);
            single[static_cast<std::size_t>(mixed[i])] += static_cast<double>(in[4 * i + c]);
        }
    double most = 0;
    for (std::size_t k = 0; k < expected.size(); ++k)
        most = std::fmax(most, std::fabs(static_cast<double>(g[k]) - expected[k]) / (1e-30 + expected[k]));
    for (std::size_t k = 0; k < single.size(); ++k)
        most = std::fmax(most, std::fabs(static_cast<double>(h[k]) - single[k]) / (1e-30 + single[k]));
    CHECK(most < 1e-6);
}
TEST_CASE("bags of many rows") {
    constexpr auto bags = xg::input<"bags", std::int64_t, 2, rows>;
    constexpr auto table = xg::input<"table", float, 3, 4>;
    constexpr auto narrow = xg::input<"narrow", float, 3, 1>;
    std::int64_t const n = 200'000;
    std::vector<std::int64_t> ids(static_cast<std::size_t>(2 * n));
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i % 3);
    auto const t = test::numbers<float>({3, 4}, 250, 320), s = test::numbers<float>({3, 1}, 250, 320);
    xg::function f{xg::outputs(xg::embedding_bag(table, bags), xg::embedding_bag(narrow, bags))};
    auto const [a, b] = f(bags = xg::array(ids.data(), 2, n), table = t, narrow = s);
    for (std::int64_t k = 0; k < 2; ++k)
        for (std::int64_t c = 0; c < 4; ++c) {
            double wide = 0, single = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                wide += static_cast<double>(t[ids[static_cast<std::size_t>(k * n + i)] * 4 + c]);
                single += static_cast<double>(s[ids[static_cast<std::size_t>(k * n + i)]]);
            }
            CHECK(std::fabs(a(k, c) / wide - 1) < 1e-6);
            CHECK(std::fabs(b(k, 0) / single - 1) < 1e-6);
        }
}
namespace {
constexpr auto weight = xg::variable<"weight", float>;
struct scale_rows : xg::region {
    static constexpr auto value(auto last, auto row) { return xg::carry(last).emit(row * weight); }
};
}
TEST_CASE("gradients over the turns of a loop") {
    std::int64_t const n = 300'000;
    auto const in = temperatures(n, 4);
    constexpr auto loss = xg::sum(std::get<1>(xg::scan<scale_rows>(xg::carry(xg::constant<float, 0>), x)));
    xg::variables own{loss};
    own.value(weight)() = 1;
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, weight)), own};
    auto const [l, g] = f(x = xg::array(in.data(), n, 4));
    auto const sum = columns(in.data(), n, 4, same);
    double const all = sum[0] + sum[1] + sum[2] + sum[3];
    CHECK(std::fabs(l / all - 1) < 1e-6);
    CHECK(std::fabs(g / all - 1) < 1e-6);
}
TEST_CASE("a factor stays in the sum of a gradient") {   // without it the sum is beyond 3e38
    constexpr auto v = xg::input<"v", float, rows, 16>;
    constexpr auto n = xg::input<"n", float>;
    constexpr auto w = xg::variable<"w", float, 16>;
    constexpr auto s = xg::variable<"s", float>;
    constexpr auto b = xg::variable<"b", float>;
    constexpr auto loss = xg::sum((xg::squeeze<1>(xg::matmul(v, xg::expand_dims<1>(w))) * s + b) * n);
    xg::variables own{loss};
    for (float& e : own.value(w)) e = 1;
    own.value(s)() = 1;
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, w), xg::gradient_of(loss, s), xg::gradient_of(loss, b)), own};
    std::vector<float> in(32, 1.0f);
    in[0] = in[16] = 3e38f;
    auto const [l, gw, gs, gb] = f(v = xg::array(in.data(), 2, 16), n = 1e-10f);
    CHECK(l == doctest::Approx(6e28));
    CHECK(gw(0) == doctest::Approx(6e28));
    CHECK(gw(1) == doctest::Approx(2e-10));
    CHECK(gs == doctest::Approx(6e28));
    CHECK(gb == doctest::Approx(2e-10));
}
TEST_CASE("twenty million terms") {
    std::int64_t const n = 20'000'000;
    constexpr auto pair = xg::input<"pair", float, rows, 2>;
    std::vector<float> in(static_cast<std::size_t>(2 * n), 1.0f);
    for (std::size_t i = 1; i < in.size(); i += 2) in[i] = 285.3f;
    xg::function f{xg::outputs(xg::sum<0>(pair), xg::mean(pair))};
    auto const [s, m] = f(pair = xg::array(in.data(), n, 2));
    CHECK(s(0) == 2e7f);
    CHECK(std::fabs(s(1) / (2e7 * static_cast<double>(285.3f)) - 1) < 1e-5);
    CHECK(std::fabs(m / ((1 + static_cast<double>(285.3f)) / 2) - 1) < 1e-5);
}
