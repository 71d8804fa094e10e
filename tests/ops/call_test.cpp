// SPDX-License-Identifier: MIT
// Bodies that run once: calls and branches, compared with the same expressions written out.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 3>;
constexpr auto w = xg::input<"w", double, 3, 3>;
constexpr auto p = xg::input<"p", bool>;
constexpr auto k = xg::input<"k", std::int32_t>;
using test::function_of, test::list_of;

struct block : xg::region {
    static constexpr auto value(auto h) { return xg::tanh(xg::matmul(h, w)); }
};
struct same : xg::region {
    static constexpr auto value(auto h) { return h; }
};
struct several : xg::region {
    static constexpr auto value(auto h) { return std::tuple{xg::sum(xg::square(h)), h * 2_c, xg::greater(xg::sum(h), 0_c)}; }
};
struct logarithm : xg::region {
    static constexpr auto value(auto h) { return xg::log(h) * xg::sum(w); }
};
constexpr auto written_out(auto h) { return xg::tanh(xg::matmul(h, w)); }
}

TEST_CASE("a call is the body written out, with its gradients") {
    constexpr auto y = xg::call<block>(xg::call<block>(xg::call<same>(x)));
    constexpr auto z = written_out(written_out(x));
    auto const g = xg::gradients(xg::sum(xg::square(y)), x, w);
    auto const h = xg::gradients(xg::sum(xg::square(z)), x, w);
    auto const gg = xg::gradients(xg::sum(xg::square(std::get<1>(g))), x, w);
    auto const hh = xg::gradients(xg::sum(xg::square(std::get<1>(h))), x, w);
    auto const list = list_of(std::tuple_cat(std::tuple{y, z}, g, h, gg, hh));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    for (std::int64_t n : {1, 5, 0, 9}) {
        auto const a = test::numbers<double>({n, 3}, -1, 1, 3), b = test::numbers<double>({3, 3}, -1, 1, 4);
        auto const [v, u, gx, gw, hx, hw, ggx, ggw, hhx, hhw] = f(x = a, w = b);
        for (std::int64_t i = 0; i < 3 * n; ++i) {
            CHECK(v[i] == doctest::Approx(u[i]).epsilon(1e-14));
            CHECK(gx[i] == doctest::Approx(hx[i]).epsilon(1e-12));
            CHECK(ggx[i] == doctest::Approx(hhx[i]).epsilon(1e-12));
        }
        for (std::int64_t i = 0; i < 9; ++i) {
            CHECK(gw[i] == doctest::Approx(hw[i]).epsilon(1e-12));
            CHECK(ggw[i] == doctest::Approx(hhw[i]).epsilon(1e-12));
        }
    }
}
TEST_CASE("several results, of other types too") {
    auto const [sum, twice, positive] = xg::call<several>(x);
    auto const list = list_of(std::tuple_cat(std::tuple{sum, twice, positive}, xg::gradients(sum + xg::sum(twice), x)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::numbers<double>({4, 3}, -1, 1, 3);
    auto const [s, t, b, g] = f(x = a);
    double all = 0, squares = 0;
    for (std::int64_t i = 0; i < 12; ++i) {
        all += a[i];
        squares += a[i] * a[i];
        CHECK(t[i] == 2 * a[i]);
        CHECK(g[i] == doctest::Approx(2 * a[i] + 2).epsilon(1e-14));
    }
    CHECK(s == doctest::Approx(squares).epsilon(1e-14));
    CHECK(b == (all > 0));
}
TEST_CASE("one of two bodies runs, and its gradient") {
    auto const y = xg::cond<logarithm, same>(p, x);
    auto const loss = xg::sum(xg::square(y));
    auto const g = xg::gradients(loss, x, w);
    auto const list = list_of(std::tuple_cat(std::tuple{y}, g, xg::gradients(xg::sum(std::get<0>(g) * std::get<0>(g)), x, w)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::numbers<double>({4, 3}, 0.5, 2, 3), b = test::numbers<double>({3, 3}, -1, 1, 4);
    double total = 0;
    for (std::int64_t i = 0; i < 9; ++i) total += b[i];
    for (bool const which : {true, false, true}) {
        auto const [v, gx, gw, hx, hw] = f(x = a, w = b, p = which);
        double of_w = 0;
        for (std::int64_t i = 0; i < 12; ++i) {
            double const l = std::log(a[i]);
            CHECK(v[i] == doctest::Approx(which ? l * total : a[i]).epsilon(1e-14));
            CHECK(gx[i] == doctest::Approx(which ? 2 * l * total * total / a[i] : 2 * a[i]).epsilon(1e-12));
            of_w += 2 * l * l * total;
            double const slope = 2 * total * total * (1 - l) / (a[i] * a[i]);
            CHECK(hx[i] == doctest::Approx(which ? 2 * gx[i] * slope : 8 * a[i]).epsilon(1e-12));
        }
        for (std::int64_t i = 0; i < 9; ++i) CHECK(gw[i] == doctest::Approx(which ? of_w : 0).epsilon(1e-12));
    }
}
namespace {
template<int N>
struct power : xg::region {
    static constexpr auto value(auto h) {
        if constexpr (N == 0) return h * 0_c + 1_c;
        else return h * power<N - 1>::value(h);
    }
};
}
TEST_CASE("an index selects a body; one out of range selects the last") {
    auto const y = xg::switch_case<power<0>, power<1>, power<2>, power<3>>(k, x);
    auto const list = list_of(std::tuple_cat(std::tuple{y}, xg::gradients(xg::sum(y), x)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::numbers<double>({4, 3}, 0.5, 2, 3);
    for (std::int32_t n : {0, 1, 2, 3, 4, -1, 100}) {
        int const e = n < 0 || n > 3 ? 3 : n;
        auto const [v, g] = f(x = a, k = n);
        for (std::int64_t i = 0; i < 12; ++i) {
            CHECK(v[i] == doctest::Approx(std::pow(a[i], e)).epsilon(1e-14));
            CHECK(g[i] == doctest::Approx(e == 0 ? 0 : e * std::pow(a[i], e - 1)).epsilon(1e-14));
        }
    }
}

namespace {
inline constexpr xg::dim depth{"depth"};
constexpr auto all = xg::input<"all", double, depth, 3, 3>;
constexpr auto shift = xg::input<"shift", double, depth, 3>;
struct layer : xg::region {
    static constexpr auto value(auto h, auto m, auto s) { return h + xg::tanh(xg::matmul(h, m) + s); }
};
struct of_vector : xg::region {
    static constexpr auto value(auto h, auto m, auto s) { return h + xg::tanh(xg::sum<0>(xg::expand_dims<1>(h) * m) + s); }
};
struct both : xg::region {
    static constexpr auto value(auto m, auto s) { return std::tuple{xg::sum(m), s * 2_c}; }
};
struct horner : xg::region {
    static constexpr auto value(auto so_far, auto s) { return so_far * 0.5_c + s; }
};
}
TEST_CASE("layers, map and fold are loops over the first axis") {
    auto const y = xg::layers<depth, layer>(x, all, shift);
    auto const [sums, twice] = xg::map<both>(all, shift);
    auto const squares = xg::map<of_vector>(shift, all, shift);
    auto const end = xg::fold<horner>(xg::sum<0>(x), shift);
    auto const list = list_of(std::tuple_cat(std::tuple{y, sums, twice, squares, end}, xg::gradients(xg::sum(y), x, all, shift)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    for (std::int64_t n : {4, 1, 0}) {
        auto const a = test::numbers<double>({2, 3}, -1, 1, 3), m = test::numbers<double>({n, 3, 3}, -1, 1, 4),
                   s = test::numbers<double>({n, 3}, -1, 1, 5);
        auto const [v, sum, two, square, last, gx, gm, gs] = f(x = a, all = m, shift = s);
        auto const at = [&](double const* from, std::int64_t layer_number, double const* h, double* to, double const* by = nullptr) {
            for (std::int64_t j = 0; j < 3; ++j) {
                double t = by != nullptr ? by[j] : s[layer_number * 3 + j];
                for (std::int64_t i = 0; i < 3; ++i) t += h[i] * from[layer_number * 9 + i * 3 + j];
                to[j] = h[j] + std::tanh(t);
            }
        };
        auto const run = [&](test::tensor<double> h, test::tensor<double> const& weights) {
            for (std::int64_t k = 0; k < n; ++k)
                for (std::int64_t r = 0; r < 2; ++r) {
                    double next[3];
                    at(weights.data(), k, h.data() + r * 3, next);
                    for (std::int64_t j = 0; j < 3; ++j) h[r * 3 + j] = next[j];
                }
            return h;
        };
        auto const h = run(a, m);
        for (std::int64_t i = 0; i < 6; ++i) CHECK(v[i] == doctest::Approx(h[i]).epsilon(1e-14));
        double folded[3];
        for (std::int64_t j = 0; j < 3; ++j) folded[j] = a[j] + a[3 + j];
        for (std::int64_t k = 0; k < n; ++k) {
            double total = 0, row[3];
            for (std::int64_t i = 0; i < 9; ++i) total += m[k * 9 + i];
            CHECK(sum[k] == doctest::Approx(total).epsilon(1e-13));
            at(m.data(), k, s.data() + k * 3, row);
            for (std::int64_t j = 0; j < 3; ++j) {
                CHECK(two[k * 3 + j] == 2 * s[k * 3 + j]);
                CHECK(square[k * 3 + j] == doctest::Approx(row[j]).epsilon(1e-14));
                folded[j] = folded[j] * 0.5 + s[k * 3 + j];
            }
        }
        for (std::int64_t j = 0; j < 3; ++j) CHECK(last[j] == doctest::Approx(folded[j]).epsilon(1e-14));
        auto const sum_with = [&](std::int64_t i, double by) {
            auto changed = m;
            changed[i] += by;
            auto const r = run(a, changed);
            double t = 0;
            for (std::int64_t k = 0; k < 6; ++k) t += r[k];
            return t;
        };
        for (std::int64_t i = 0; i < 9 * n; ++i)
            CHECK(gm[i] == doctest::Approx((sum_with(i, 1e-5) - sum_with(i, -1e-5)) / 2e-5).epsilon(1e-7).scale(0.1));
        CHECK(gx.size() == 6);
        CHECK(gs.size() == 3 * n);
    }
}
