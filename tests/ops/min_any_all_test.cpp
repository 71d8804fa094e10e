// SPDX-License-Identifier: MIT
// The least element, and whether any or all elements are true: along each axis, of long and empty axes, with ties, NaN and the
// smallest integer.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim length{"length"};
}

TEST_CASE_TEMPLATE("min is the least element along each axis", T, float, double, std::int32_t, std::int64_t) {
    constexpr auto x = xg::input<"x", T, batch, 37>;
    xg::function f{xg::outputs(xg::min(x), xg::min<0>(x), xg::min<1>(x, xg::keep_dims), xg::min<0, -1>(x))};
    for (std::int64_t n : {1, 5, 40}) {
        auto a = test::numbers<T>({n, 37}, -1000, 1000);
        if constexpr (std::is_integral_v<T>)
            if (n == 5) a[40] = std::numeric_limits<T>::min(), a[41] = std::numeric_limits<T>::max();
        auto const [all, columns, rows, both] = f(x = a);
        CHECK(all == *std::min_element(a.begin(), a.end()));
        CHECK(both == all);
        CHECK((rows.shape() == std::array<std::int64_t, 2>{n, 1}));
        for (std::int64_t i = 0; i < n; ++i) CHECK(rows[i] == *std::min_element(a.begin() + 37 * i, a.begin() + 37 * (i + 1)));
        for (std::int64_t j = 0; j < 37; ++j) {
            T least = a[j];
            for (std::int64_t i = 1; i < n; ++i) least = std::min(least, a[37 * i + j]);
            CHECK(columns[j] == least);
        }
    }
}

TEST_CASE("ties share the gradient of min; NaN passes; the least of nothing is inf") {
    constexpr auto x = xg::input<"x", double, batch, 4>;
    constexpr auto y = xg::min<1>(x);
    xg::function f{xg::outputs(y, xg::gradient_of(y, x))};
    auto a = test::tensor<double>({3, 4}, 2.0);
    a[1] = -1, a[2] = -1, a[7] = 0.5, a[9] = std::numeric_limits<double>::quiet_NaN();
    auto const [values, slopes] = f(x = a);
    CHECK(values[0] == -1);
    CHECK(values[1] == 0.5);
    CHECK(std::isnan(values[2]));
    for (int i = 0; i < 8; ++i) CHECK(slopes[i] == (i == 1 || i == 2 ? 0.5 : i == 7 ? 1 : 0));
    auto const r = xg::check_gradients(xg::sum(xg::square(y)) + xg::min(x), xg::wrt(x), x = test::numbers<double>({5, 4}, -2, 2));
    CHECK_MESSAGE(r.ok, r.message);
    constexpr auto rows = xg::input<"rows", float, length>;
    xg::function g{xg::min(rows)};
    CHECK(g(rows = std::vector<float>{}) == std::numeric_limits<float>::infinity());
}

TEST_CASE("any and all along each axis") {
    constexpr auto p = xg::input<"p", bool, batch, length>;
    xg::function f{
        xg::outputs(xg::any(p), xg::all(p), xg::any<1>(p), xg::all<1>(p), xg::any<0>(p, xg::keep_dims), xg::all<0>(p, xg::keep_dims))};
    for (std::int64_t const n : {1, 3, 20})
        for (std::int64_t const m : {0, 1, 7, 40}) {
            test::tensor<bool> a({n, m});
            for (std::int64_t i = 0; i < n * m; ++i) a[i] = i % 3 != 0 || i > 60;
            auto const [any, all, any_of_row, all_of_row, any_of_column, all_of_column] = f(p = a);
            CHECK(any == std::any_of(a.begin(), a.end(), [](bool b) { return b; }));
            CHECK(all == std::all_of(a.begin(), a.end(), [](bool b) { return b; }));
            for (std::int64_t i = 0; i < n; ++i) {
                CHECK(any_of_row[i] == std::any_of(a.begin() + i * m, a.begin() + (i + 1) * m, [](bool b) { return b; }));
                CHECK(all_of_row[i] == std::all_of(a.begin() + i * m, a.begin() + (i + 1) * m, [](bool b) { return b; }));
            }
            for (std::int64_t j = 0; j < m; ++j) {
                int count = 0;
                for (std::int64_t i = 0; i < n; ++i) count += a[i * m + j];
                CHECK(any_of_column[j] == (count > 0));
                CHECK(all_of_column[j] == (count == n));
            }
        }
}
