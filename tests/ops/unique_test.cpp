// SPDX-License-Identifier: MIT
// Different elements and sets compared with a loop: more of them than places, NaN, named extents, no elements, gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/index/sets.hpp>
#include <xgrad/ops/index/unique.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>
#include <map>
#include <set>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr auto x = xg::input<"x", std::int64_t, batch, 3>;
constexpr auto z = xg::input<"z", float, batch>;
}

TEST_CASE("different integers, their positions and counts") {
    constexpr auto all = xg::unique<5>(x);
    constexpr auto named = xg::unique<batch>(x);
    xg::function f{xg::outputs(std::get<0>(all), std::get<1>(all), std::get<2>(all), std::get<3>(all), std::get<0>(named))};
    for (std::int64_t n : {0, 1, 2, 4, 7}) {
        test::tensor<std::int64_t> X({n, 3});
        std::map<std::int64_t, std::int32_t> known;
        for (std::int64_t i = 0; i < X.size(); ++i) ++known[X[i] = i * i % 7 - 3];
        auto const [values, positions, counts, count, of_batch] = f(x = X);
        CHECK(count == static_cast<std::int32_t>(known.size()));
        REQUIRE(positions.size() == X.size());
        std::int64_t k = 0;
        for (auto const& [value, times] : known) {
            if (k < 5) CHECK((values[k] == value && counts[k] == times));
            if (k < n) CHECK(of_batch[k] == value);
            for (std::int64_t i = 0; i < X.size(); ++i)
                if (X[i] == value) CHECK(positions[i] == k);
            ++k;
        }
        for (; k < 5; ++k) CHECK((values[k] == 0 && counts[k] == 0));
    }
}

TEST_CASE("different floats: NaN is one, zeros are equal; the gradient goes to the first one") {
    constexpr auto all = xg::unique<4>(z);
    constexpr auto values = std::get<0>(all);
    xg::function f{xg::outputs(values, std::get<1>(all), std::get<2>(all), std::get<3>(all),
        xg::gradient_of(xg::sum(values * xg::cast<float>(1_c + xg::detail::positions_along<xg::static_extent(4)>{})), z))};
    float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    test::tensor<float> Z({7});
    float const numbers[]{2, nan, -0.0f, 0, nan, inf, 2};
    std::copy(std::begin(numbers), std::end(numbers), Z.data());
    auto const [v, at, counts, count, g] = f(z = Z);
    CHECK(count == 4);
    CHECK((v[0] == 0 && v[1] == 2 && v[2] == inf && std::isnan(v[3])));
    CHECK((counts[0] == 2 && counts[1] == 2 && counts[2] == 1 && counts[3] == 2));
    int const places[]{1, 3, 0, 0, 3, 2, 1}, slopes[]{2, 4, 1, 0, 0, 3, 0};
    for (std::int64_t i = 0; i < 7; ++i) CHECK((at[i] == places[i] && g[i] == slopes[i]));
}

TEST_CASE("elements of either, of both, of one alone") {
    constexpr auto a = xg::input<"a", std::int32_t, batch, 3>;
    constexpr auto b = xg::input<"b", std::int32_t, batch>;
    constexpr auto either = xg::union1d<9>(a, b);
    constexpr auto both = xg::intersect1d<2>(a, b);
    constexpr auto first = xg::setdiff1d<batch>(a, b);
    xg::function f{xg::outputs(
        std::get<0>(either), std::get<1>(either), std::get<0>(both), std::get<1>(both), std::get<0>(first), std::get<1>(first))};
    for (std::int64_t n : {0, 1, 3, 8}) {
        test::tensor<std::int32_t> A({n, 3}), B({n});
        for (std::int64_t i = 0; i < A.size(); ++i) A[i] = static_cast<std::int32_t>(i * i % 13 - 4);
        for (std::int64_t i = 0; i < n; ++i) B[i] = static_cast<std::int32_t>(2 * i - 4);
        std::set<std::int32_t> const of_a(A.begin(), A.end()), of_b(B.begin(), B.end());
        std::vector<std::int32_t> expected[3];
        std::set_union(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(expected[0]));
        std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(expected[1]));
        std::set_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(expected[2]));
        auto const [u, u_count, i, i_count, d, d_count] = f(a = A, b = B);
        auto const check = [](auto const& values, std::int32_t count, std::vector<std::int32_t> const& should) {
            CHECK(count == static_cast<std::int32_t>(should.size()));
            for (std::int64_t k = 0; k < values.size(); ++k) CHECK(values[k] == (k < count ? should[static_cast<std::size_t>(k)] : 0));
        };
        check(u, u_count, expected[0]);
        check(i, i_count, expected[1]);
        check(d, d_count, expected[2]);
    }
}

TEST_CASE("sets of floats: NaN, signs of zero, gradients to the first of equal elements") {
    constexpr auto a = xg::input<"a", float, 6>;
    constexpr auto b = xg::input<"b", float, 4>;
    constexpr auto either = std::get<0>(xg::union1d<6>(a, b));
    constexpr auto both = std::get<0>(xg::intersect1d<3>(a, b));
    constexpr auto first = std::get<0>(xg::setdiff1d<4>(a, b));
    constexpr auto loss = xg::sum(either * xg::cast<float>(1_c + xg::detail::positions_along<xg::static_extent(6)>{})) +
                          10_c * xg::sum(both) + 100_c * xg::sum(first);
    xg::function f{xg::outputs(either, both, first, xg::gradient_of(loss, a), xg::gradient_of(loss, b))};
    float const nan = std::numeric_limits<float>::quiet_NaN();
    auto const A = test::list<float>({3, nan, -0.0f, 3, 7, nan}), B = test::list<float>({nan, 5, 0, 3});
    auto const [u, i, d, of_a, of_b] = f(a = A, b = B);
    CHECK((u[0] == 0 && u[1] == 3 && u[2] == 5 && u[3] == 7 && std::isnan(u[4]) && u[5] == 0));   // NumPy's
    CHECK((i[0] == 0 && i[1] == 3 && i[2] == 0));
    CHECK((d[0] == 7 && std::isnan(d[1]) && d[2] == 0));
    float const slopes_a[]{12, 105, 11, 0, 104, 0}, slopes_b[]{0, 3, 0, 0};
    for (int k = 0; k < 6; ++k) CHECK(of_a[k] == slopes_a[k]);
    for (int k = 0; k < 4; ++k) CHECK(of_b[k] == slopes_b[k]);
}
