// SPDX-License-Identifier: MIT
// Pools over parts at computed and at random places: TensorFlow's numbers, kernels against loops, sequences, second derivatives.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/pooling/fractional_pool.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::known;
using xg::fractional_parts;
using xg::overlapping_parts;
using xg::per_axis;
inline constexpr xg::dim batch{"batch"}, parts{"parts"};

template<class T>
struct pools {
    test::tensor<T> x, most, mean, from_most, from_mean, picked;
};
/// All kernels in parts of `step` iterations, where g of a place is its number.
template<class T, bool Overlapping>
pools<T> run(
    test::tensor<T> const& x, test::tensor<std::int32_t> const& rows, test::tensor<std::int32_t> const& columns, std::int64_t step) {
    auto const& s = x.shape();
    std::int64_t const down = rows.size() - 1, across = columns.size() - 1;
    std::vector<std::int64_t> const places{s[0], down, across, s[3]};
    pools<T> r{x, test::tensor<T>(places, 7), test::tensor<T>(places, 7), test::tensor<T>(s, 7), test::tensor<T>(s, 7),
        test::tensor<T>(places, 7)};
    test::tensor<T> g(places);
    for (std::int64_t i = 0; i < g.size(); ++i) g[i] = static_cast<T>(i + 1);
    auto const in = [](test::tensor<T> const& t) {
        return xg::tensor_view<T const, 4>(t.data(), {t.shape()[0], t.shape()[1], t.shape()[2], t.shape()[3]});
    };
    auto const out = [](test::tensor<T>& t) {
        return xg::tensor_view<T, 4>(t.data(), {t.shape()[0], t.shape()[1], t.shape()[2], t.shape()[3]});
    };
    xg::tensor_view<std::int32_t const, 1> const p(rows.data(), {rows.size()}), q(columns.data(), {columns.size()});
    for (std::int64_t first = 0; first < s[0] * down; first += step) {
        xg::kernel_part const part{first, std::min(first + step, s[0] * down), nullptr, nullptr};
        xg::op::fractional_max_pool<Overlapping>::run(part, in(x), p, q, out(r.most));
        xg::op::fractional_average_pool<Overlapping>::run(part, in(x), p, q, out(r.mean));
        xg::op::fractional_max_pick<Overlapping>::run(part, in(x), in(r.most), in(x), p, q, out(r.picked));
    }
    for (std::int64_t image = 0; image < s[0]; ++image) {
        xg::kernel_part const part{image, image + 1, nullptr, nullptr};
        xg::op::fractional_max_spread<Overlapping>::run(part, in(x), in(r.most), in(g), p, q, out(r.from_most));
        xg::op::fractional_average_spread<Overlapping>::run(part, in(g), p, q, out(r.from_mean));
    }
    return r;
}
/// The same by loops over elements.
template<class T>
void check(pools<T> const& r, test::tensor<std::int32_t> const& rows, test::tensor<std::int32_t> const& columns, bool overlapping) {
    auto const &s = r.x.shape(), &m = r.most.shape();
    test::tensor<T> from_most(s), from_mean(s);
    bool same = true;
    for (std::int64_t at = 0; at < r.most.size(); ++at) {
        std::int64_t const c = at % m[3], q = at / m[3] % m[2], p = at / m[3] / m[2] % m[1], b = at / m[3] / m[2] / m[1];
        T most = -std::numeric_limits<T>::infinity(), total = 0;
        std::int64_t count = 0, where = -1;
        std::vector<std::int64_t> window;
        for (std::int64_t i = 0; i < s[1]; ++i)
            for (std::int64_t j = 0; j < s[2]; ++j) {
                auto const inside = [&](std::int64_t k, test::tensor<std::int32_t> const& sequence, std::int64_t number) {
                    return k >= sequence[number] && (k < sequence[number + 1] || (overlapping && k == sequence[number + 1]));
                };
                if (!inside(i, rows, p) || !inside(j, columns, q)) continue;
                std::int64_t const e = ((b * s[1] + i) * s[2] + j) * s[3] + c;
                window.push_back(e);
                total += r.x[e];
                ++count;
                if (r.x[e] > most) most = r.x[e], where = e;
            }
        if (where >= 0) from_most[where] += static_cast<T>(at + 1);
        for (auto e : window) from_mean[e] += static_cast<T>(at + 1) / static_cast<T>(count);
        same = same && r.most[at] == most && r.picked[at] == (count > 0 ? most : 0) &&
               std::abs(r.mean[at] - (count > 0 ? total / static_cast<T>(count) : 0)) < T(1e-5);
    }
    for (std::int64_t e = 0; e < r.x.size(); ++e)
        same = same && r.from_most[e] == from_most[e] && std::abs(r.from_mean[e] - from_mean[e]) <= T(1e-5) * (1 + std::abs(from_mean[e]));
    CHECK(same);
}
template<class T>
void check_sequence(T const& s, std::int64_t n, std::int64_t count) {
    REQUIRE(s.size() == count + 1);
    CHECK((s[0] == 0 && s[count] == n));
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t const length = s[i + 1] - s[i];
        CHECK((length == n / count || length == n / count + 1));
    }
}
}

TEST_CASE_TEMPLATE("kernels of fractional pools against loops over elements", T, float, double) {
    for (std::int64_t const channels : {1, 3, 4, 7, 19, 32})
        for (std::int64_t const step : {2, 100}) {
            test::tensor<T> x({2, 7, 6, channels});
            for (std::int64_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * i % 11);   // ties
            auto const rows = test::list<std::int32_t>({0, 2, 3, 5, 7}), columns = test::list<std::int32_t>({1, 1, 4, 6});
            check(run<T, false>(x, rows, columns, step), rows, columns, false);
            check(run<T, true>(x, rows, columns, step), rows, columns, true);
        }
    test::tensor<T> x({1, 3, 3, 1});
    for (std::int64_t i = 0; i < 9; ++i) x[i] = static_cast<T>(i);
    auto const outside = test::list<std::int32_t>({-5, 2, 1, 90});   // the axis ends before, and one part is backwards
    auto const r = run<T, false>(x, outside, test::list<std::int32_t>({0, 3}), 9);
    CHECK((r.most[0] == 5 && r.most[1] == -std::numeric_limits<T>::infinity() && r.most[2] == 8));
    CHECK((r.mean[0] == T(2.5) && r.mean[1] == 0 && r.mean[2] == T(5.5)));
}

TEST_CASE("fractional pools are TensorFlow's") {
    constexpr auto x = xg::input<"x", double, batch, 11, 8, 3>;
    constexpr auto rows = xg::input<"rows", std::int64_t, parts>;
    constexpr auto columns = xg::input<"columns", std::int32_t, 6>;
    constexpr auto w = xg::input<"w", double, batch, parts - 1, 5, 3>;
    constexpr auto most = xg::fractional_max_pool2d(x, rows, columns);
    constexpr auto mean = xg::fractional_average_pool2d(x, rows, columns);
    constexpr auto wide = xg::fractional_max_pool2d(x, rows, columns, overlapping_parts);
    constexpr auto wide_mean = xg::fractional_average_pool2d(x, rows, columns, overlapping_parts);
    constexpr auto slope = [=](auto y) { return xg::gradient_of(xg::sum(y * w), x); };
    xg::function f{xg::outputs(most, mean, wide, wide_mean, slope(most), slope(mean), slope(wide), slope(wide_mean))};
    auto const X = known<double>("fractional", {2, 11, 8, 3});
    test::tensor<double> W({2, 6, 5, 3});
    for (std::int64_t i = 0; i < W.size(); ++i) W[i] = std::cos(static_cast<double>(i));
    auto const check_one = [&](std::string const& name, auto const& y, auto const& slope_of_y) {
        from_tensorflow::compare(name, y.data(), y.size(), 1e-11);
        from_tensorflow::compare(name + ".x", slope_of_y.data(), slope_of_y.size(), 1e-11);
    };
    for (std::string const how : {"", "_pseudo", "_overlapping"}) {
        auto const r = f(x = X, rows = known<std::int64_t>("fractional.max" + how + ".rows", {7}),
            columns = known<std::int32_t>("fractional.max" + how + ".columns", {6}), w = W);
        bool const one_more = how == "_overlapping";
        check_one("fractional.max" + how, one_more ? std::get<2>(r) : std::get<0>(r), one_more ? std::get<6>(r) : std::get<4>(r));
        check_one("fractional.average" + how, one_more ? std::get<3>(r) : std::get<1>(r), one_more ? std::get<7>(r) : std::get<5>(r));
    }
}

TEST_CASE("sequences that are drawn, and pools with them") {
    constexpr auto v = xg::variable<"v", double, 2, 9, 7, 2>;
    constexpr auto pool = xg::fractional_max_pool2d<"pool", per_axis{4, 5}>(v);
    constexpr auto means = xg::fractional_average_pool2d<"means", 4, fractional_parts::pseudo_random>(v, overlapping_parts);
    constexpr auto again = xg::fractional_max_pool2d(v, std::get<1>(pool), std::get<2>(pool));
    constexpr auto pseudo = xg::fractional_sequence<"pseudo", 23, 10, fractional_parts::pseudo_random>();
    constexpr auto random = xg::fractional_sequence<"random", 23, 10>();
    constexpr auto loss = xg::sum(xg::square(std::get<0>(pool)));
    auto train = xg::minimize(xg::outputs(loss, std::get<0>(pool), std::get<1>(pool), std::get<2>(pool), again, std::get<0>(means),
                                  std::get<1>(means), pseudo, random, xg::fractional_sequence<"all", 6, 6>()),
        xg::gradient_descent{.learning_rate = 0.01});
    train.initialize(xg::random_uniform{.seed = 5, .range = 1});
    bool changed = false;
    std::vector<std::int32_t> before(11);
    for (int step = 0; step < 40; ++step) {
        auto const r = train();
        check_sequence(std::get<2>(r), 9, 4);
        check_sequence(std::get<3>(r), 7, 5);
        check_sequence(std::get<6>(r), 9, 4);
        check_sequence(std::get<7>(r), 23, 10);
        check_sequence(std::get<8>(r), 23, 10);
        for (std::int64_t i = 0; i <= 6; ++i) CHECK(std::get<9>(r)[i] == i);
        for (std::int64_t i = 0; i < std::get<1>(r).size(); ++i) CHECK(std::get<1>(r)[i] == std::get<4>(r)[i]);
        CHECK(std::get<5>(r).shape() == std::array<std::int64_t, 4>{2, 4, 4, 2});
        changed = changed || (step > 0 && !std::equal(before.begin(), before.end(), std::get<8>(r).begin()));
        std::copy(std::get<8>(r).begin(), std::get<8>(r).end(), before.begin());
    }
    CHECK(changed);
}

TEST_CASE("gradients of fractional pools, and gradients of them") {
    constexpr auto x = xg::input<"x", double, 1, 6, 5, 2>;
    constexpr auto rows = xg::input<"rows", std::int32_t, 4>;
    constexpr auto columns = xg::input<"columns", std::int32_t, 3>;
    constexpr auto inner = xg::sum(xg::sin(xg::fractional_max_pool2d(x, rows, columns, overlapping_parts))) +
                           xg::sum(xg::exp(xg::fractional_average_pool2d(x, rows, columns)));
    constexpr auto loss = inner + xg::sum(xg::square(xg::gradient_of(inner, x)));
    auto const r = xg::check_gradients(loss, xg::wrt(x), {.tolerance = 1e-6}, x = test::numbers<double>({1, 6, 5, 2}),
        rows = test::list<std::int32_t>({0, 2, 5, 6}), columns = test::list<std::int32_t>({0, 2, 5}));
    CHECK_MESSAGE(r.ok, r.message);
}
