// SPDX-License-Identifier: MIT
// What is large in one respect: derivatives of derivatives, loops of many operations, many outputs.
#include <support/tensor.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr auto s = xg::variable<"s", double>;
constexpr auto f0 = xg::tanh(xg::sigmoid(xg::tanh(s * s)));
constexpr auto f1 = xg::gradient_of(f0, s);
constexpr auto f2 = xg::gradient_of(f1, s);
constexpr auto f3 = xg::gradient_of(f2, s);

constexpr auto x = xg::input<"x", double, 5>;
template<int N>
constexpr auto chain() {
    if constexpr (N == 0) return x;
    else {
        auto const u = chain<N - 1>();
        return xg::tanh(u * 0.9_c + xg::square(u));
    }
}
constexpr auto y = chain<16>();

template<int... K>
constexpr auto shifted(std::integer_sequence<int, K...>) {
    return xg::outputs((x + xg::typed_literal<double, K>{})...);
}
}

TEST_CASE("a third derivative, as a function and as something to minimise") {
    static_assert(
        xg::detail::outputs_draft_of<xg::expression_list<std::remove_const_t<decltype(f3)>>, xg::no_updates, 16>.table.needed > 16);
    xg::variables v{f0};
    xg::function f{xg::outputs(f1, f2, f3), v};
    auto at = [&](double value) {
        v.value(s)() = value;
        return f();
    };
    double const h = 1e-5;
    auto const low = at(0.7 - h), high = at(0.7 + h), here = at(0.7);
    CHECK(std::abs(std::get<1>(here) - (std::get<0>(high) - std::get<0>(low)) / (2 * h)) < 1e-8);
    CHECK(std::abs(std::get<2>(here) - (std::get<1>(high) - std::get<1>(low)) / (2 * h)) < 1e-8);
}
TEST_CASE("more operations than one loop takes") {
    xg::function both{xg::outputs(y, xg::gradient_of(y, x))};
    xg::function<xg::expression_list<std::remove_const_t<decltype(y)>>,
        xg::program<xg::expression_list<std::remove_const_t<decltype(y)>>, xg::no_updates, xg::gating::none, false>>
        plain{y};
    std::vector<double> const in{-1, -0.25, 0.1, 0.5, 2};
    auto const r = both(x = in);
    auto const p = plain(x = in);
    for (std::int64_t k = 0; k < 5; ++k) {
        long double u = static_cast<long double>(in[static_cast<std::size_t>(k)]), slope = 1;
        for (int n = 0; n < 16; ++n) {
            slope *= 0.9L + 2 * u;
            u = std::tanh(u * 0.9L + u * u);
            slope *= 1 - u * u;
        }
        CHECK(std::abs(std::get<0>(r)[k] - static_cast<double>(u)) < 1e-12);
        CHECK(std::abs(std::get<0>(r)[k] - p[k]) < 1e-12);
        CHECK(std::abs(std::get<1>(r)[k] - static_cast<double>(slope)) < 1e-9 * (1 + std::abs(static_cast<double>(slope))));
    }
}
TEST_CASE("more outputs than 64") {
    constexpr auto many = shifted(std::make_integer_sequence<int, 68>{});
    xg::function f{many};
    auto const r = f(x = std::vector<double>{0, 1, 2, 3, 4});
    CHECK(std::tuple_size_v<decltype(r)> == 68);
    CHECK(std::get<0>(r)[4] == 4);
    CHECK(std::get<64>(r)[1] == 65);
    CHECK(std::get<67>(r)[4] == 71);
}
