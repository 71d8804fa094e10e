// SPDX-License-Identifier: MIT
// Reductions that omit NaN compared with NumPy (tests/reference/signals.py), with rows that are all NaN. Gradients by differences.
#include "ops/signals_reference.hpp"

#include <xgrad/ops/over_axes/nan_reductions.hpp>
#include <xgrad/ops/shapes/fill.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using signals::check_known;
using signals::known;
constexpr auto x = xg::input<"x", double, 5, 8>;
}

TEST_CASE("reductions without NaN are NumPy's") {
    auto const some = xg::concat<0>(xg::slice<0, 0, 3>(x), xg::slice<0, 4, 5>(x));
    xg::function f{xg::outputs(xg::stack<0>(xg::nan_sum<1>(x), xg::nan_prod<1>(x), xg::nan_mean<1>(x), xg::nan_max<1>(x), xg::nan_min<1>(x),
                                   xg::nan_median<1>(x), xg::nan_quantile<1>(x, 0.3_c)),
        xg::stack<0>(xg::nan_sum<0>(x), xg::nan_mean<0>(x), xg::nan_max<0>(x), xg::nan_median<0>(x), xg::nan_variance<0>(some)),
        xg::stack<0>(xg::nan_variance<1>(some), xg::nan_stddev<1>(some), xg::nan_variance<1>(some, xg::correction<1>)),
        xg::nan_median(x, xg::keep_dims), xg::nan_max<1>(xg::cast<float>(x), xg::keep_dims))};
    auto const X = known("holes", {5, 8});
    auto const [rows, columns, spreads, all, kept] = f(x = X);
    auto const part = [](auto const& r, std::int64_t k) {
        test::tensor<double> y({r.shape(1)});
        for (std::int64_t i = 0; i < y.size(); ++i) y[i] = r(k, i);
        return y;
    };
    check_known("nansum", part(rows, 0));
    check_known("nanprod", part(rows, 1));
    check_known("nanmean", part(rows, 2));
    check_known("nanmax", part(rows, 3));
    check_known("nanmin", part(rows, 4));
    check_known("nanmedian", part(rows, 5));
    check_known("nanquantile", part(rows, 6));
    check_known("nansum.columns", part(columns, 0));
    check_known("nanmean.columns", part(columns, 1));
    check_known("nanmax.columns", part(columns, 2));
    check_known("nanmedian.columns", part(columns, 3));
    check_known("nanvar.columns", part(columns, 4));
    check_known("nanvar", part(spreads, 0));
    check_known("nanstd", part(spreads, 1));
    check_known("nanvar.sample", part(spreads, 2));
    REQUIRE(all.shape() == std::array<std::int64_t, 2>{1, 1});
    std::vector<double> numbers;
    for (double const e : X)
        if (e == e) numbers.push_back(e);
    std::sort(numbers.begin(), numbers.end());
    CHECK(all[0] == 0.5 * (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]));
    REQUIRE(kept.shape() == std::array<std::int64_t, 2>{5, 1});
    CHECK(std::isnan(kept[0]));
    CHECK(kept[2] == 1.88f);
}

TEST_CASE("a quantile between an infinite and a finite element is infinite, and one between far elements does not overflow") {
    constexpr auto pair = xg::input<"pair", double, 4, 2>;
    xg::function f{xg::outputs(xg::nan_median<1>(pair), xg::median<1>(pair))};
    double const inf = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
    test::tensor<double> P({4, 2});
    double const numbers[]{1, -inf, inf, 2, most, -most, inf, inf};
    std::copy(std::begin(numbers), std::end(numbers), P.data());
    auto const [omitting, all] = f(pair = P);
    double const expected[]{-inf, inf, 0, inf};
    for (std::int64_t i = 0; i < 4; ++i) {
        CHECK(omitting[i] == expected[i]);
        CHECK(all[i] == expected[i]);
    }
}

TEST_CASE("gradients of reductions without NaN, with NaN in each row, and rows that are all NaN") {
    constexpr auto y = xg::input<"y", double, 2, 4>;
    auto const z = xg::concat<0>(xg::concat<1>(y, xg::sqrt(xg::full<double, 2, 2>(-1_c))), xg::sqrt(xg::full<double, 3, 6>(-1_c)));
    auto const terms = xg::sin(xg::nan_sum<1>(z)) + xg::nan_prod<1>(z) + xg::exp(xg::nan_mean<1>(z)) + xg::sin(xg::nan_max<1>(z)) +
                       xg::sin(xg::nan_min<1>(z)) + xg::exp(xg::nan_variance<1>(z, xg::correction<1>)) + xg::sin(xg::nan_stddev<1>(z)) +
                       xg::sin(xg::nan_median<1>(z));
    auto const r = xg::check_gradients(xg::nan_sum(terms), xg::wrt(y), {.tolerance = 1e-7}, y = test::numbers<double>({2, 4}, -1, 1, 3));
    CHECK_MESSAGE(r.ok, r.message);
    xg::function f{xg::gradient_of(xg::sum(xg::nan_mean<1>(x) + xg::nan_max<1>(x) + xg::nan_variance<1>(x)), x)};
    auto const zeros = f(x = test::tensor<double>({5, 8}, std::numeric_limits<double>::quiet_NaN()));
    for (double const e : zeros) CHECK(e == 0);
}
