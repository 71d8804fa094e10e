// SPDX-License-Identifier: MIT
// The results of a function that is not kept own their memory.
#include <xgrad/exec/function.hpp>
#include <xgrad/ops/ops.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace xg = xgrad;

TEST_CASE("a function that is moved is the same function") {
    constexpr auto x = xg::input<"x", float, 4>;
    std::vector<float> const v{1, 2, 3, 4};
    xg::function f{xg::sum(x)};
    xg::function g{std::move(f)};
    static_assert(std::is_same_v<decltype(f), decltype(g)>);
    CHECK(g(x = v) == 10.0f);
}
TEST_CASE("results outlive a temporary function") {
    constexpr auto x = xg::input<"x", float, 4>;
    std::vector<float> const v{1, 2, 3, 4};
    auto const one = xg::function{xg::square(x)}(x = v);
    auto const [squares, total] = xg::function{xg::outputs(xg::square(x), xg::sum(x))}(x = v);
    float const number = xg::function{xg::sum(x)}(x = v);
    CHECK(std::vector<float>(one.begin(), one.end()) == std::vector<float>{1, 4, 9, 16});
    CHECK(squares(3) == 16.0f);
    CHECK(squares.shape(0) == 4);
    CHECK(total == 10.0f);
    CHECK(number == 10.0f);
    CHECK(xg::function{xg::sum(x)}(x = one) == 30.0f);
}
