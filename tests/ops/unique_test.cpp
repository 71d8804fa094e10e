// SPDX-License-Identifier: MIT
// Different elements compared with a loop: more of them than places, NaN, named extents, no elements, gradients.
#include <support/tensor.hpp>

#include <xgrad/ops/index/unique.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <cmath>
#include <map>

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
