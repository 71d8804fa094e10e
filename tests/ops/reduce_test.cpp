// SPDX-License-Identifier: MIT
// Reductions over every set of axes of a tensor with three axes: values in long double.
#include <support/tensor.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
using real = long double;

constexpr auto all_axes = [](auto const& f) {
    return std::tuple(f.template operator()<0>(), f.template operator()<1>(), f.template operator()<2>(), f.template operator()<0, 1>(),
        f.template operator()<0, 2>(), f.template operator()<1, -1>(), f.template operator()<0, 1, 2>());
};
constexpr int masks[]{1, 2, 4, 3, 5, 6, 7};

// A reduction of [n, 3, 5]: calls f for each element of x that is reduced into result element `at`.
template<class T, class F>
void gather_elements(test::tensor<T> const& x, int mask, std::int64_t at, F const& f) {
    std::int64_t const e[3]{x.shape()[0], x.shape()[1], x.shape()[2]};
    for (std::int64_t i = 0; i < x.size(); ++i) {
        std::int64_t const index[3]{i / (e[1] * e[2]), i / e[2] % e[1], i % e[2]};
        std::int64_t to = 0;
        for (int d = 0; d < 3; ++d)
            if ((mask >> d & 1) == 0) to = to * e[d] + index[d];
        if (to == at) f(static_cast<real>(x[i]));
    }
}
template<class T>
std::int64_t kept_size(test::tensor<T> const& x, int mask) {
    std::int64_t n = 1;
    for (int d = 0; d < 3; ++d)
        if ((mask >> d & 1) == 0) n *= x.shape()[static_cast<std::size_t>(d)];
    return n;
}
template<class T, class R, class F>
void check_all(char const* name, R const& results, test::tensor<T> const& x, F const& expected, double tolerance) {
    std::size_t k = 0;
    auto one = [&](auto const& r) {
        int const mask = masks[k++ % 7];
        CAPTURE(mask);
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(r)>>) {
            T const single[1]{static_cast<T>(r)};
            test::check_near(
                name, xg::array(single, 1), [&](std::int64_t) { return expected(mask, 0); }, tolerance);
        } else {
            REQUIRE(r.size() == kept_size(x, mask));
            test::check_near(
                name, r, [&](std::int64_t i) { return expected(mask, i); }, tolerance);
        }
    };
    std::apply([&](auto const&... r) { (one(r), ...); }, results);
}
template<class T>
constexpr auto x = xg::input<"x", T, batch, 3, 5>;
struct sums {
    template<int... A>
    constexpr auto operator()() const {
        return xg::sum<A...>(x<double>);
    }
};
struct sums_kept {
    template<int... A>
    constexpr auto operator()() const {
        return xg::sum<A...>(x<float>, xg::keep_dims);
    }
};
struct means {
    template<int... A>
    constexpr auto operator()() const {
        return xg::mean<A...>(x<double>, xg::keep_dims);
    }
};
struct maxima {
    template<int... A>
    constexpr auto operator()() const {
        return xg::max<A...>(x<double>);
    }
};
struct log_sums {
    template<int... A>
    constexpr auto operator()() const {
        return xg::log_sum_exp<A...>(x<float>);
    }
};
struct softmaxes {
    template<int... A>
    constexpr auto operator()() const {
        return xg::softmax<A...>(x<double>);
    }
};
constexpr auto as_outputs = [](auto const&... e) { return xg::outputs(e...); };
}

TEST_CASE("sum, mean and maximum over every set of axes") {
    xg::function fs{std::apply(as_outputs, all_axes(sums{}))};
    xg::function fk{std::apply(as_outputs, all_axes(sums_kept{}))};
    xg::function fm{std::apply(as_outputs, all_axes(means{}))};
    xg::function fx{std::apply(as_outputs, all_axes(maxima{}))};
    for (std::int64_t n : {4, 1, 17, 0}) {
        CAPTURE(n);
        auto const a = test::numbers<double>({n, 3, 5}, -2, 3);
        auto const b = test::numbers<float>({n, 3, 5}, -2, 3);
        auto sum_of = [](auto const& t) {
            return [&t](int mask, std::int64_t i) {
                real s = 0;
                gather_elements(t, mask, i, [&](real v) { s += v; });
                return s;
            };
        };
        check_all("sum", fs(x<double> = a), a, sum_of(a), 1e-14);
        auto const kept = fk(x<float> = b);
        check_all("sum of float, kept", kept, b, sum_of(b), 1e-5);
        CHECK(std::get<0>(kept).shape() == std::array<std::int64_t, 3>{1, 3, 5});
        CHECK(std::get<4>(kept).shape() == std::array<std::int64_t, 3>{1, 3, 1});
        CHECK(std::get<6>(kept).shape() == std::array<std::int64_t, 3>{1, 1, 1});
        check_all(
            "mean", fm(x<double> = a), a,
            [&](int mask, std::int64_t i) {
                real s = 0, count = 0;
                gather_elements(a, mask, i, [&](real v) {
                    s += v;
                    ++count;
                });
                return s / count;
            },
            1e-14);
        check_all(
            "maximum", fx(x<double> = a), a,
            [&](int mask, std::int64_t i) {
                real s = -std::numeric_limits<real>::infinity();
                gather_elements(a, mask, i, [&](real v) { s = std::max(s, v); });
                return s;
            },
            0);
    }
}

TEST_CASE("log_sum_exp and softmax over every set of axes") {
    xg::function fl{std::apply(as_outputs, all_axes(log_sums{}))};
    xg::function fs{std::apply(as_outputs, all_axes(softmaxes{}))};
    for (std::int64_t n : {4, 1, 0}) {
        CAPTURE(n);
        auto const a = test::numbers<float>({n, 3, 5}, -90, 90);
        auto const b = test::numbers<double>({n, 3, 5}, -4, 4);
        check_all(
            "log_sum_exp", fl(x<float> = a), a,
            [&](int mask, std::int64_t i) {
                real s = 0;
                gather_elements(a, mask, i, [&](real v) { s += std::exp(v); });
                return std::log(s);
            },
            1e-6);
        std::size_t k = 0;
        auto one = [&](auto const& r) {
            int const mask = masks[k++];
            CAPTURE(mask);
            REQUIRE(r.size() == b.size());
            test::check_near(
                "softmax", r,
                [&](std::int64_t i) {
                    std::int64_t const e[3]{n, 3, 5}, index[3]{i / 15, i / 5 % 3, i % 5};
                    std::int64_t to = 0;
                    for (int d = 0; d < 3; ++d)
                        if ((mask >> d & 1) == 0) to = to * e[d] + index[d];
                    real s = 0;
                    gather_elements(b, mask, to, [&](real v) { s += std::exp(v); });
                    return std::exp(static_cast<real>(b[i])) / s;
                },
                1e-14);
        };
        std::apply([&](auto const&... r) { (one(r), ...); }, fs(x<double> = b));
    }
}

TEST_CASE("every length of a row: body and tail") {
    constexpr auto m = xg::input<"m", float, 3, batch>;
    xg::function f{xg::outputs(xg::sum<1>(m), xg::max<1>(m), xg::log_sum_exp<1>(m), xg::sum(m), xg::sum<0>(m))};
    for (std::int64_t n = 0; n <= 9 * test::width<float> + 1; n += n < 3 * test::width<float> + 1 ? 1 : 7) {
        CAPTURE(n);
        auto const a = test::numbers<float>({3, n}, -2, 3);
        auto const [s, l, e, total, columns] = f(m = a);
        real sum_all = 0;
        for (std::int64_t i = 0; i < 3; ++i) {
            real sum = 0, largest = -std::numeric_limits<real>::infinity(), exponentials = 0;
            for (std::int64_t j = 0; j < n; ++j) {
                real const v = static_cast<real>(a[i * n + j]);
                sum += v;
                largest = std::max(largest, v);
                exponentials += std::exp(v);
            }
            sum_all += sum;
            CHECK(static_cast<real>(s[i]) == doctest::Approx(static_cast<double>(sum)).epsilon(1e-5));
            CHECK(static_cast<real>(l[i]) == largest);
            if (n > 0) CHECK(e[i] == doctest::Approx(static_cast<double>(std::log(exponentials))).epsilon(1e-5));
            else CHECK(e[i] == -std::numeric_limits<float>::infinity());
        }
        CHECK(total == doctest::Approx(static_cast<double>(sum_all)).epsilon(1e-5));
        for (std::int64_t j = 0; j < n; ++j)
            CHECK(
                columns[j] == doctest::Approx(static_cast<double>(a[j]) + static_cast<double>(a[n + j]) + static_cast<double>(a[2 * n + j]))
                                  .epsilon(1e-6));
    }
}

TEST_CASE("3.10 tied maxima share the gradient, integers are summed exactly, infinities") {
    constexpr auto m = xg::input<"m", double, batch, 4>;
    xg::function f{xg::gradient_of(xg::max<1>(m), m)};
    auto a = test::tensor<double>({2, 4}, 1.0);
    a[1] = 5;
    a[3] = 5;
    auto const g = f(m = a);
    double const expected[]{0, 0.5, 0, 0.5, 0.25, 0.25, 0.25, 0.25};
    for (int i = 0; i < 8; ++i) CHECK(g[i] == expected[i]);
    constexpr auto k = xg::input<"k", std::int64_t, batch, 3>;
    xg::function h{xg::outputs(xg::sum<1>(k), xg::max(k), xg::sum(k))};
    test::tensor<std::int64_t> big({2, 3}, (std::int64_t{1} << 53) + 1);
    auto const [rows, largest, total] = h(k = big);
    CHECK(rows[1] == 3 * ((std::int64_t{1} << 53) + 1));
    CHECK(largest == (std::int64_t{1} << 53) + 1);
    CHECK(total == 6 * ((std::int64_t{1} << 53) + 1));
    double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    xg::function e{xg::outputs(xg::log_sum_exp<1>(m), xg::max<1>(m))};
    auto v = test::tensor<double>({4, 4}, -inf);
    v[4] = 2;
    v[8] = inf;
    v[12] = nan;
    auto const [lse, top] = e(m = v);
    CHECK(lse[0] == -inf);
    CHECK(lse[1] == 2);
    CHECK(lse[2] == inf);
    CHECK(std::isnan(lse[3]));
    CHECK(std::isnan(top[3]));
}
