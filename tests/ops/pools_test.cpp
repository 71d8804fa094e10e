// SPDX-License-Identifier: MIT
// Pools: values and gradients of TensorFlow and PyTorch, loops over elements, ties, NaN, padding, named dimensions, second order.
#include "images_reference.hpp"

#include <xgrad/ops/pooling/average_pool.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <limits>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using images::compare;
using images::compare_all;
using images::given;
using images::weighted;
using xg::per_axis;
using pad = xg::window_padding;
using win = xg::pool_window;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_dim{"time"};
constexpr auto x = xg::input<"x", float, 2, 7, 6, 2>;
constexpr auto n = xg::input<"n", float, 2, 9, 3>;
constexpr auto c = xg::input<"c", float, 1, 5, 4, 6, 2>;

/// A pool over [batch, 1, height, width, channels] by loops over elements; also the first position of each maximum.
template<class T>
void slow_pool(xg::op::pool_axes const& a, test::tensor<T> const& in, test::tensor<T>& most, test::tensor<T>& total,
    test::tensor<std::int32_t>& where) {
    auto const &s = in.shape(), &m = most.shape();
    std::int64_t at = 0;
    for (std::int64_t b = 0; b < m[0]; ++b)
        for (std::int64_t i = 0; i < m[2]; ++i)
            for (std::int64_t j = 0; j < m[3]; ++j)
                for (std::int64_t k = 0; k < m[4]; ++k, ++at) {
                    most[at] = -std::numeric_limits<T>::infinity();
                    total[at] = 0;
                    where[at] = -1;
                    xg::window_axis const &u = a.at[1].window, &v = a.at[2].window;
                    for (std::int64_t p = 0; p < u.size; ++p)
                        for (std::int64_t q = 0; q < v.size; ++q) {
                            std::int64_t const y = i * u.stride + p * u.dilation - u.before, z = j * v.stride + q * v.dilation - v.before;
                            if (y < 0 || y >= s[2] || z < 0 || z >= s[3]) continue;
                            std::int64_t const in_image = (y * s[3] + z) * s[4] + k;
                            T const e = in[b * s[2] * s[3] * s[4] + in_image];
                            total[at] += e;
                            if (e > most[at]) {
                                most[at] = e;
                                where[at] = static_cast<std::int32_t>(in_image);
                            }
                        }
                }
}
template<class T>
xg::tensor_view<T const, 5> view(test::tensor<T> const& t) {
    return {t.data(), {t.shape()[0], t.shape()[1], t.shape()[2], t.shape()[3], t.shape()[4]}};
}
template<class T>
xg::tensor_view<T, 5> view(test::tensor<T>& t) {
    return {t.data(), view(std::as_const(t)).shape()};
}
/// All kernels of pools in parts of `step` iterations against loops over elements.
template<class T>
void check_kernels(xg::op::pool_axes const& a, std::vector<std::int64_t> const& s, std::int64_t step) {
    std::vector<std::int64_t> m = s;
    for (std::size_t i = 0; i < 3; ++i) m[1 + i] = a.at[i].places_in(xg::static_extent(s[1 + i])).constant;
    test::tensor<T> in(s), most(m), total(m), y(m, 7), z(m, 7), back(s, 7), spread(s, 7), picked(m, 7);
    for (std::int64_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * i % 11);   // ties
    test::tensor<std::int32_t> where(m), positions(m, 7);
    slow_pool(a, in, most, total, where);
    auto const g = test::numbers<T>(m);
    std::int64_t const rows = m[0] * m[1] * m[2];
    xg::op::average_pool_attributes const sums{a, xg::op::pool_divisor::none};
    auto const parts = [step](std::int64_t turns, auto run) {
        for (std::int64_t first = 0; first < turns; first += step)
            run(xg::kernel_part{first, std::min(first + step, turns), nullptr, nullptr});
    };
    auto const in_view = view(std::as_const(in)), g_view = view(g);
    parts(rows, [&](auto const& part) {
        xg::op::max_pool::run(a, part, in_view, view(y));
        xg::op::average_pool::run(sums, part, in_view, view(z));
        xg::op::max_pool_positions::run(a, part, in_view, view(positions));
    });
    auto const y_view = view(std::as_const(y));
    parts(rows, [&](auto const& part) { xg::op::max_pool_pick::run(a, part, in_view, y_view, in_view, view(picked)); });
    parts(s[0], [&](auto const& part) {
        xg::op::max_pool_spread::run(a, part, in_view, y_view, g_view, view(back));
        xg::op::average_pool_spread::run(sums, part, g_view, view(spread));
    });
    std::valarray<T> expected(T(0), static_cast<std::size_t>(in.size()));
    std::int64_t const image = s[1] * s[2] * s[3] * s[4], places = m[1] * m[2] * m[3] * m[4];
    bool same = true;
    T of_sums = 0, of_spread = 0;
    for (std::int64_t i = 0; i < y.size(); ++i) {
        same = same && y[i] == most[i] && picked[i] == most[i] && z[i] == total[i] && positions[i] == where[i];
        expected[static_cast<std::size_t>(i / places * image + where[i])] += g[i];
        of_sums += total[i] * g[i];   // <sum(x), g> = <x, spread(g)>
    }
    for (std::int64_t i = 0; i < in.size(); ++i) {
        same = same && std::abs(back[i] - expected[static_cast<std::size_t>(i)]) < T(1e-5);
        of_spread += in[i] * spread[i];
    }
    CHECK(same);
    CHECK(static_cast<double>(of_spread) == doctest::Approx(static_cast<double>(of_sums)).epsilon(1e-4));
}
constexpr xg::op::pool_axes two_axes(xg::window_axis const& down, xg::window_axis const& across) {
    return {{{{1, 1, 1, 0, 0}, 0}, {down, 0}, {across, 0}}};
}
}

TEST_CASE_TEMPLATE("kernels of pools against loops over elements", T, float, double) {
    for (std::int64_t const channels : {1, 3, 4, 7, 19, 32})
        for (std::int64_t const step : {2, 100}) {
            check_kernels<T>(two_axes({2, 2, 1, 0, 0}, {2, 2, 1, 0, 0}), {3, 1, 4, 6, channels}, step);
            check_kernels<T>(two_axes({3, 2, 1, 1, 1}, {3, 2, 1, 0, 1}), {2, 1, 7, 6, channels}, step);
            check_kernels<T>(two_axes({2, 1, 2, 1, 1}, {4, 1, 1, 3, 0}), {2, 1, 5, 5, channels}, step);
        }
    check_kernels<T>(two_axes({2, 3, 1, 0, 0}, {1, 2, 1, 0, 0}), {2, 1, 6, 5, 2}, 1);
}

TEST_CASE("maxima over windows as in TensorFlow and PyTorch") {
    constexpr auto same = pad::same;
    xg::function f{xg::outputs(xg::max_pool2d<2>(x), xg::max_pool2d<3, win{.strides = 2, .padding = same}>(x),
        xg::max_pool2d<per_axis{2, 3}, win{.strides = per_axis{1, 2}, .padding = same}>(x),
        xg::max_pool1d<3, win{.strides = 2, .padding = same}>(n), xg::max_pool3d<2, win{.padding = same}>(c),
        xg::max_pool2d<2, win{.strides = 1, .dilations = 2, .padding = {1}}>(x),
        xg::max_pool3d<per_axis{2, 2, 3}, win{.strides = per_axis{2, 1, 2}}>(c), xg::adaptive_max_pool2d<per_axis{3, 4}>(x))};
    compare_all(f(x = given("x"), n = given("n"), c = given("c")),
        {"max_2", "max_3_2_same", "max_23_same", "max_1d", "max_3d", "max_dilated", "max_3d_first", "max_adaptive"});
    xg::function g{xg::outputs(xg::gradient_of(weighted(xg::max_pool2d<2>(x)), x),
        xg::gradient_of(weighted(xg::max_pool2d<3, win{.strides = 2, .padding = same}>(x)), x),
        xg::gradient_of(weighted(xg::max_pool1d<3, win{.strides = 2, .padding = same}>(n)), n),
        xg::gradient_of(weighted(xg::max_pool2d<2, win{.strides = 1, .dilations = 2, .padding = {1}}>(x)), x),
        xg::gradient_of(weighted(xg::max_pool3d<per_axis{2, 2, 3}, win{.strides = per_axis{2, 1, 2}}>(c)), c),
        xg::gradient_of(weighted(xg::adaptive_max_pool2d<per_axis{3, 4}>(x)), x))};
    compare_all(g(x = given("x"), n = given("n"), c = given("c")),
        {"max_2.d", "max_3_2_same.d", "max_1d.d", "max_dilated.d", "max_3d_first.d", "max_adaptive.d"});
}

TEST_CASE("means and norms over windows as in TensorFlow and PyTorch") {
    constexpr auto same = pad::same;
    constexpr auto a = xg::average_pool2d<3, win{.strides = 2, .padding = same}>(x);
    constexpr auto b = xg::average_pool1d<4, win{.strides = 3, .padding = same}>(n);
    constexpr auto d = xg::average_pool3d<per_axis{2, 3, 2}, win{.strides = per_axis{1, 2, 2}, .padding = same}>(c);
    constexpr auto e = xg::average_pool2d<3, win{.strides = 2, .padding = {1}, .count_padding = true}>(x);
    constexpr auto h = xg::adaptive_average_pool2d<per_axis{3, 4}>(x);
    constexpr auto ceil = xg::average_pool2d<3, win{.strides = 2, .padding = {1}, .count_padding = true, .ceil_mode = true}>(x);
    constexpr auto ceil_elements = xg::average_pool2d<per_axis{2, 4}, win{.strides = 3, .padding = {per_axis{1, 2}}, .ceil_mode = true}>(x);
    constexpr auto ceil_max = xg::max_pool2d<per_axis{2, 3}, win{.strides = 2, .padding = {per_axis{1, 0}}, .ceil_mode = true}>(x);
    constexpr auto p = xg::lp_pool2d<3, 2, win{.strides = 1}>(xg::abs(x) + 0.125_c);
    xg::function f{xg::outputs(a, xg::average_pool2d<2>(x), b, d, e, h, xg::adaptive_average_pool1d<4>(n), p,
        xg::gradient_of(weighted(a), x), xg::gradient_of(weighted(b), n), xg::gradient_of(weighted(d), c), xg::gradient_of(weighted(e), x),
        xg::gradient_of(weighted(h), x), ceil, ceil_elements, ceil_max, xg::gradient_of(weighted(ceil), x),
        xg::gradient_of(weighted(ceil_elements), x), xg::gradient_of(weighted(ceil_max), x))};
    compare_all(f(x = given("x"), n = given("n"), c = given("c")),
        {"average_3_2_same", "average_2", "average_1d", "average_3d", "average_padded", "average_adaptive", "average_adaptive_1d", "lp",
            "average_3_2_same.d", "average_1d.d", "average_3d.d", "average_padded.d", "average_adaptive.d", "average_ceil",
            "average_ceil_elements", "max_ceil", "average_ceil.d", "average_ceil_elements.d", "max_ceil.d"});
}

TEST_CASE("positions of maxima, and values back at them") {
    constexpr auto same = xg::max_pool_with_argmax2d<3, win{.strides = 2, .padding = pad::same}>(x);
    constexpr auto two = xg::max_pool_with_argmax2d<2>(x);
    constexpr auto back = xg::max_unpool2d<per_axis{7, 6}>(std::get<0>(two), std::get<1>(two));
    xg::function f{xg::outputs(std::get<0>(same), std::get<1>(same), back, xg::gradient_of(xg::sum(xg::square(back)), x))};
    auto const [y, positions, whole, slope] = f(x = given("x"));
    compare("max_3_2_same", y);
    compare("positions", positions);
    compare("unpooled", whole);
    for (std::int64_t i = 0; i < whole.size(); ++i) CHECK(slope.data()[i] == 2 * whole.data()[i]);
}

TEST_CASE("NaN is skipped, and windows with nothing else are the lowest number") {
    constexpr auto in = xg::input<"in", float, 1, 8, 1>;
    constexpr auto y = xg::max_pool1d<2>(in);
    float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(y), in))};
    test::tensor<float> a({1, 8, 1});
    float const given_numbers[]{nan, 1, 2, nan, -inf, -inf, nan, nan};
    std::copy(given_numbers, given_numbers + 8, a.data());
    auto const [most, slope] = f(in = a);
    CHECK((most[0] == 1 && most[1] == 2 && most[2] == -inf && most[3] == -inf));
    float const expected[]{0, 1, 1, 0, 1, 0, 0, 0};
    for (std::int64_t i = 0; i < 8; ++i) CHECK(slope[i] == expected[i]);
}

TEST_CASE("named dimensions, empty batches, global pools, minima") {
    constexpr auto s = xg::input<"s", float, batch, time_dim, 3>;
    constexpr auto i = xg::input<"i", float, batch, time_dim, 4, 3>;
    xg::function f{xg::outputs(xg::max_pool1d<3, win{.strides = 1, .padding = pad::same}>(s), xg::average_pool1d<2, win{.strides = 1}>(s),
        xg::adaptive_max_pool1d<2>(s), xg::gradient_of(xg::sum(xg::average_pool1d<2, win{.strides = 1}>(s)), s))};
    for (std::int64_t const b : {0, 2}) {
        std::int64_t const t = 5;
        auto const a = test::numbers<float>({b, t, 3});
        auto const [most, mean, parts, slope] = f(s = a);
        REQUIRE((most.shape() == std::array<std::int64_t, 3>{b, t, 3} && mean.shape() == std::array<std::int64_t, 3>{b, t - 1, 3}));
        REQUIRE((parts.shape() == std::array<std::int64_t, 3>{b, 2, 3}));
        for (std::int64_t k = 0; k < b * t * 3; ++k) {
            std::int64_t const p = k / 3 % t;
            CHECK(most[k] == std::max({a[k], a[p > 0 ? k - 3 : k], a[p + 1 < t ? k + 3 : k]}));
            CHECK(slope[k] == (p > 0 && p + 1 < t ? 1 : 0.5F));
        }
    }
    xg::function g{xg::outputs(xg::global_max_pool(i), xg::global_average_pool(i), xg::min_pool2d<per_axis{2, 4}, win{.strides = 1}>(i))};
    auto const a = test::numbers<float>({2, 5, 4, 3});
    auto const [most, mean, least] = g(i = a);
    REQUIRE((least.shape() == std::array<std::int64_t, 4>{2, 4, 1, 3}));
    for (std::int64_t k = 0; k < 6; ++k) {
        float high = -9, total = 0, low = 9;
        for (std::int64_t p = 0; p < 20; ++p) {
            float const e = a[k / 3 * 60 + p * 3 + k % 3];
            high = std::max(high, e);
            total += e;
            if (p < 8) low = std::min(low, e);
        }
        CHECK((most[k] == high && least[k / 3 * 12 + k % 3] == low));
        CHECK(mean[k] == doctest::Approx(total / 20));
    }
}

TEST_CASE("gradients of pools, and gradients of them") {
    constexpr auto d = xg::input<"d", double, 2, 5, 4, 3>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::max_pool2d<2, win{.strides = 1}>(d)) + all(xg::average_pool2d<3, win{.strides = 2, .padding = {1}}>(d)) +
                          all(xg::lp_pool2d<2, 2>(d)) + all(xg::adaptive_max_pool2d<per_axis{2, 3}>(d));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, d)));
    auto const a = test::numbers<double>({2, 5, 4, 3}, -2, 2);
    auto const first = xg::check_gradients(loss, xg::wrt(d), d = a), second = xg::check_gradients(twice, xg::wrt(d), d = a);
    CHECK_MESSAGE(first.ok, first.message);
    CHECK_MESSAGE(second.ok, second.message);
    xg::function zero{xg::gradient_of(xg::sum(xg::lp_pool2d<2, 2>(d)), d)};
    for (double const e : zero(d = test::tensor<double>({2, 5, 4, 3}))) CHECK(e == 0);
}
