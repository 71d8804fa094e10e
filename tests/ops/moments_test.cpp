// SPDX-License-Identifier: MIT
// Variances, norms and quantiles against NumPy and their gradients against JAX. Edges: corrections, zeros, NaN, empty axes.
#include <ops/close.hpp>
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/over_axes/moments.hpp>
#include <xgrad/ops/over_axes/norms.hpp>
#include <xgrad/ops/over_axes/order.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::check_close;
inline constexpr xg::dim batch{"batch"};
constexpr double inf = std::numeric_limits<double>::infinity(), no = std::numeric_limits<double>::quiet_NaN();
constexpr auto x = xg::input<"x", double, batch, 7>;
constexpr auto w = xg::input<"w", double, batch, 7>;
constexpr auto first = xg::input<"first", double>;

}

TEST_CASE("quantiles, variances and norms of NumPy, and gradients of JAX") {
    auto const table = test::read_reference("axes.txt");
    test::tensor<double> in({3, 7}), weights({3, 7});
    std::copy(table.at("x").begin(), table.at("x").end(), in.data());
    std::copy(table.at("w").begin(), table.at("w").end(), weights.data());
    auto const check = [&]<int... Axis>(std::string const& end) {
        constexpr auto slope = [](auto y) {
            if constexpr (sizeof...(Axis) == 0) return xg::gradient_of(y * first, x);
            else if constexpr (((Axis == 0) || ...)) return xg::gradient_of(xg::sum(y * xg::slice<0, 0, 1>(w)), x);
            else return xg::gradient_of(xg::sum(y * xg::input<"rows", double, batch>), x);
        };
        constexpr auto variance = xg::variance<Axis...>(x);
        constexpr auto stddev = xg::stddev<Axis...>(x);
        constexpr auto median = xg::median<Axis...>(x);
        constexpr auto quantile = xg::quantile<Axis...>(x, 0.3_c);
        constexpr auto power = xg::p_norm<Axis...>(x, 3_c);
        xg::function f{xg::outputs(variance, xg::variance<Axis...>(x, xg::correction<1>), stddev, median, quantile,
            xg::quantile<Axis...>(x, 0.95_c), power, xg::l1_norm<Axis...>(x), xg::max_norm<Axis...>(x), slope(variance), slope(stddev),
            slope(median), slope(quantile), slope(power))};
        auto const r = [&] {
            if constexpr (sizeof...(Axis) == 0) return f(x = in, first = weights[0]);
            else if constexpr (((Axis == 0) || ...)) return f(x = in, w = weights);
            else return f(x = in, xg::input<"rows", double, batch> = std::vector<double>(weights.begin(), weights.begin() + 3));
        }();
        auto const compare = [&]<std::size_t... K>(std::index_sequence<K...>) {
            char const* const names[]{"variance", "variance_of_sample", "stddev", "median", "quantile", "high_quantile", "p_norm",
                "l1_norm", "max_norm", "variance", "stddev", "median", "quantile", "p_norm"};
            (check_close(names[K] + end, std::get<K>(r), table.at(names[K] + end + (K < 9 ? "" : ".slope"))), ...);
        };
        compare(std::make_index_sequence<14>{});
    };
    check.operator()<0>(".0");
    check.operator()<-1>(".1");
    check.operator()<>(".all");
}

TEST_CASE("edges: keep_dims, corrections, equal elements, zeros, NaN, empty axes, counts") {
    constexpr auto v = xg::input<"v", float, batch, 4>;
    constexpr auto q = xg::input<"q", float>;
    xg::function f{xg::outputs(xg::variance<1>(v, xg::correction<1>, xg::keep_dims), xg::stddev<0>(v, xg::correction<3>),
        xg::gradient_of(xg::sum(xg::stddev<1>(v, xg::keep_dims)), v), xg::gradient_of(xg::p_norm(v * 0_c, 1.5_c), v),
        xg::median<0>(v, xg::keep_dims), xg::quantile<1>(v, q), xg::count_nonzero<1>(v), xg::count_nonzero<1>(v > 1_c, xg::keep_dims),
        xg::ptp<1>(v), xg::sum_of_squares<1>(v, xg::keep_dims), xg::max_norm(v), xg::p_norm<1>(v, q, xg::keep_dims),
        xg::quantile<0>(v, 1_c))};
    std::vector<float> const in{5, 5, 5, 5, 1, 0, -4, 3, 2, 2, 0, 0};
    auto const r = f(v = xg::array(in, 3, 4), q = 0.5F);
    CHECK((std::get<0>(r).shape() == std::array<std::int64_t, 2>{3, 1} && std::get<4>(r).shape() == std::array<std::int64_t, 2>{1, 4}));
    check_close("variance", std::get<0>(r), {0, 26.0 / 3, 4.0 / 3}, 1e-6);
    check_close("nothing is left to divide by", std::get<1>(r), {inf, inf, inf, inf});
    CHECK(std::get<2>(r)[0] == 0);   // equal elements
    CHECK(std::get<2>(r)[8] == doctest::Approx(0.25));
    for (float const e : std::get<3>(r)) CHECK(e == 0);
    check_close("median", std::get<4>(r), {2, 2, 0, 3});
    check_close("quantile", std::get<5>(r), {5, 0.5, 1});
    check_close("count", std::get<6>(r), {4, 3, 2});
    check_close("count of bool", std::get<7>(r), {4, 1, 2});
    check_close("ptp", std::get<8>(r), {0, 7, 2});
    check_close("squares", std::get<9>(r), {100, 26, 8});
    check_close("max", std::get<10>(r), {5});
    check_close("largest", std::get<12>(r), {5, 5, 5, 5});
    float const nan = static_cast<float>(no), most = static_cast<float>(inf);
    std::vector<float> const bad{nan, 1, 2, 3, 1, most, 2, 3, -most, most, most, most};
    auto const n = f(v = xg::array(bad, 3, 4), q = 1.5F);
    check_close("median of NaN", std::get<4>(n), {no, inf, 2, 3});
    check_close("a fraction above 1", std::get<5>(n), {no, no, no});
    auto const none = f(v = test::tensor<float>({0, 4}), q = 0.5F);
    check_close("of no elements", std::get<4>(none), {no, no, no, no});
    check_close("variance of none", std::get<1>(none), {no, no, no, no});
    check_close("norm of none", std::get<10>(none), {0});
}
