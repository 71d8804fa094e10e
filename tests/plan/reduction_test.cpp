// SPDX-License-Identifier: MIT
// Reductions over several axes, whose loops the planner merges.
#include <doctest/doctest.h>

#include <xgrad/xgrad.hpp>

#include <vector>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, 4, 5>;
constexpr auto y = xg::input<"y", double, batch, 3, 2>;
}

TEST_CASE("a reduction over all axes is kept where nothing else is done in its loop") {
    std::vector<double> a(20), b(30);
    for (std::size_t i = 0; i < 20; ++i) a[i] = static_cast<double>(i) - 7;
    for (std::size_t i = 0; i < 30; ++i) b[i] = static_cast<double>(i);
    xg::function all{xg::outputs(xg::max(x), xg::sum(x))};
    auto const [largest, total] = all(x = xg::array(a.data(), 4, 5));
    CHECK(largest == 12);
    CHECK(total == 50);
    xg::function some{xg::outputs(xg::sum<1, 2>(y), xg::max<1, 2>(y, xg::keep_dims), xg::sum<0, 1>(y), xg::sum<0, 2>(y))};
    for (std::int64_t n : {5, 1, 0}) {
        auto const [rows, rows_max, columns, middle] = some(y = xg::array(b.data(), n, 3, 2));
        REQUIRE(rows.size() == n);
        for (std::int64_t i = 0; i < n; ++i) {
            CHECK(rows[i] == 36 * static_cast<double>(i) + 15);
            CHECK(rows_max[i] == 6 * static_cast<double>(i) + 5);
        }
        double column[2]{}, mid[3]{};
        for (std::int64_t i = 0; i < 6 * n; ++i) {
            column[i % 2] += b[static_cast<std::size_t>(i)];
            mid[i / 2 % 3] += b[static_cast<std::size_t>(i)];
        }
        for (int i = 0; i < 2; ++i) CHECK(columns[i] == column[i]);
        for (int i = 0; i < 3; ++i) CHECK(middle[i] == mid[i]);
    }
}
