// SPDX-License-Identifier: MIT
// Gradients that the user writes: taken as they are, in chains, in bodies, of the second order.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::function_of, test::list_of;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch>;
constexpr auto w = xg::input<"w", double>;
constexpr auto k = xg::input<"k", std::int32_t>;
constexpr auto scale = xg::input<"scale", double>;

// log(1 + exp(x)) with its stable gradient, as in TensorFlow's guide.
struct log1pexp : xg::region {
    static constexpr auto value(auto a) { return xg::log(1_c + xg::exp(a)); }
};
struct stable : xg::region {
    static constexpr auto value(auto a, auto, auto g) { return g * (1_c - 1_c / (1_c + xg::exp(a))); }
};
// The gradient says something else than the body, and reads an outer number.
struct product : xg::region {
    static constexpr auto value(auto a, auto b, auto n) { return std::tuple{a * b * xg::cast<double>(n), b * b}; }
};
struct invented : xg::region {
    static constexpr auto value(auto a, auto b, auto n, auto y, auto z, auto gy, auto gz) {
        return std::tuple{gy * scale + y, xg::sum(a * gy) + 10_c * gz + z + b * xg::cast<double>(n)};
    }
};
struct square : xg::region {
    static constexpr auto value(auto a) { return xg::custom_gradient<log1pexp, stable>(a * a); }
};
}

TEST_CASE("a gradient that is stable where the derived one is not, of two orders") {
    constexpr auto y = xg::custom_gradient<log1pexp, stable>(x);
    auto const g = xg::gradient_of(xg::sum(xg::square(y)), x);
    auto const gg = xg::gradient_of(xg::sum(g), x);
    auto const list = list_of(std::tuple{y, g, gg});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::list<double>({-3, -0.5, 0, 0.25, 2, 100});
    auto const [v, gx, hx] = f(x = a);
    for (std::int64_t i = 0; i < a.size(); ++i) {
        double const l = std::log(1 + std::exp(a[i])), s = 1 - 1 / (1 + std::exp(a[i]));
        CHECK(v[i] == doctest::Approx(l).epsilon(1e-14));
        CHECK(gx[i] == doctest::Approx(2 * l * s).epsilon(1e-14));
        CHECK(hx[i] == doctest::Approx(2 * s * s + 2 * l * s * (1 - s)).epsilon(1e-12).scale(1e-10));
    }
}
TEST_CASE("a gradient is taken as it is, with integers, several results and what it reads") {
    constexpr auto y = xg::custom_gradient<product, invented>(x, w, k);
    constexpr auto first = std::get<0>(y);
    auto const of_both = xg::gradients(xg::sum(first) * 3_c + std::get<1>(y), x, w);
    auto const of_first = xg::gradients(xg::sum(first), x, w);
    auto const list = list_of(std::tuple_cat(y, of_both, of_first, xg::gradients(xg::sum(std::get<0>(of_both)), scale)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::list<double>({-3, -0.5, 2});
    auto const [v, u, gx, gw, hx, hw, at_scale] = f(x = a, w = 0.5, k = 4, scale = 7.0);
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        CHECK(v[i] == a[i] * 2);
        CHECK(gx[i] == 3 * 7 + a[i] * 2);
        CHECK(hx[i] == 7 + a[i] * 2);
        sum += a[i];
    }
    CHECK(u == 0.25);
    CHECK(gw == 3 * sum + 10 + 0.25 + 2);
    CHECK(hw == sum + 0.25 + 2);
    CHECK(at_scale == 9);
}
TEST_CASE("in the body of a loop") {
    auto const y = xg::map<square>(x);
    auto const list = list_of(std::tuple{y, xg::gradient_of(xg::sum(y), x)});
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    auto const a = test::list<double>({-3, -0.5, 2});
    auto const [v, g] = f(x = a);
    for (std::int64_t i = 0; i < 3; ++i) {
        double const s = 1 - 1 / (1 + std::exp(a[i] * a[i]));
        CHECK(v[i] == doctest::Approx(std::log(1 + std::exp(a[i] * a[i]))).epsilon(1e-14));
        CHECK(g[i] == doctest::Approx(2 * a[i] * s).epsilon(1e-14));
    }
}
