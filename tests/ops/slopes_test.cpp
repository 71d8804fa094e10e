// SPDX-License-Identifier: MIT
// Slopes, areas, fits and orders by several keys compared with NumPy and SciPy (tests/reference/signals.py). Gradients by differences.
#include "ops/signals_reference.hpp"

#include <xgrad/ops/index/lexsort.hpp>
#include <xgrad/ops/signal/slopes.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using signals::check_known;
using signals::known;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim points{"points"};
constexpr auto y = xg::input<"y", double, 3, 7>;
constexpr auto x = xg::input<"x", double, 7>;
}

TEST_CASE("slopes, areas and fits are NumPy's") {
    constexpr auto named = xg::input<"named", double, batch, points>;
    constexpr auto w = xg::input<"w", double, 7>;
    auto const row = [](auto const& a) { return xg::squeeze<0>(xg::slice<0, 1, 2>(a)); };
    xg::function f{xg::outputs(xg::numerical_gradient(y, 0.25_c), xg::numerical_gradient<1, 2>(named, 0.25_c), xg::numerical_gradient(y, x),
        xg::numerical_gradient<1, 2>(y, x), xg::cumulative_trapezoid(named), xg::cumulative_trapezoid(y, x),
        xg::cumulative_trapezoid<0>(y, 0.5_c), xg::polyfit<3>(x, xg::transpose<1, 0>(y)), xg::polyfit<2>(x, row(y), w),
        xg::numerical_gradient<0>(xg::slice<0, 0, 2>(y)))};
    auto const Y = known("heights", {3, 7});
    test::tensor<double> W({7});
    for (std::int64_t i = 0; i < 7; ++i) W[i] = static_cast<double>(i + 1);
    auto const r = f(y = Y, x = known("places", {7}), named = Y, w = W);
    check_known("gradient.1", std::get<0>(r));
    check_known("gradient.2", std::get<1>(r));
    check_known("gradient.places.1", std::get<2>(r));
    check_known("gradient.places.2", std::get<3>(r));
    check_known("cumulative_trapezoid", std::get<4>(r));
    check_known("cumulative_trapezoid.places", std::get<5>(r));
    check_known("cumulative_trapezoid.columns", std::get<6>(r));
    check_known("polyfit.columns", std::get<7>(r), 1e-12);
    check_known("polyfit.weights", std::get<8>(r), 1e-12);
    for (std::int64_t i = 0; i < 14; ++i) CHECK(std::get<9>(r)[i] == Y[7 + i % 7] - Y[i % 7]);
}

TEST_CASE("gradients of slopes, areas and fits") {
    constexpr auto u = xg::input<"u", double, 2, 5>;
    constexpr auto at = xg::input<"at", double, 5>;
    constexpr auto h = xg::input<"h", double>;
    constexpr auto w = xg::input<"w", double, 5>;
    auto const loss = xg::sum(xg::sin(xg::numerical_gradient(u, h))) + xg::sum(xg::sin(xg::numerical_gradient<1, 2>(u, at))) +
                      xg::sum(xg::sin(xg::cumulative_trapezoid(u, at))) + xg::sum(xg::sin(xg::polyfit<2>(at, xg::transpose<1, 0>(u), w)));
    test::tensor<double> places({5}), distance({}, 0.5);
    for (std::int64_t i = 0; i < 5; ++i) places[i] = 0.3 * static_cast<double>(i * i) + 0.5 * static_cast<double>(i);
    auto const r = xg::check_gradients(loss, xg::wrt(u, at, h, w), {.tolerance = 1e-6}, u = test::numbers<double>({2, 5}, -1, 1, 4),
        at = places, h = distance, w = test::numbers<double>({5}, 0.5, 2, 5));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("an order by several keys is NumPy's") {
    constexpr auto first = xg::input<"first", std::int32_t, batch, 8>;
    constexpr auto second = xg::input<"second", float, batch, 8>;
    xg::function f{xg::outputs(xg::lexsort(first, second, first), xg::lexsort(first, second))};
    test::tensor<std::int32_t> A({2, 8});
    test::tensor<float> B({2, 8});
    int const keys[]{3, 1, 2, 1, 3, 2, 1, 3}, more[]{1, 0, 1, 1, 0, 1, 0, 0};
    for (std::int64_t i = 0; i < 16; ++i) A[i] = keys[i % 8], B[i] = i < 8 ? static_cast<float>(more[i]) : 0.0f;
    auto const [three, two] = f(first = A, second = B);
    auto const expected = known("lexsort.2", {8});
    int const by_first[]{1, 3, 6, 2, 5, 0, 4, 7}, all[]{1, 6, 3, 2, 5, 4, 7, 0};
    for (std::int64_t i = 0; i < 8; ++i) {
        CHECK(two[i] == expected[i]);
        CHECK(two[8 + i] == by_first[i]);   // the second key has no differences
        CHECK(three[i] == all[i]);
    }
}
